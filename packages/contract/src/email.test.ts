import { expect, test } from 'vitest'
import { EmailAddress, emailFault, emailForm } from './email.ts'

test.each(['ada@folio.test', "o'neil+news@mail.example.co.uk", 'a@shop.xn--p1ai', 'A_b-c@x-y.org'])(
  '%s is an e-mail address',
  (text) => expect(emailFault(text)).toBeUndefined(),
)

test.each([
  'ada',
  'ada@folio',
  'a..b@folio.test',
  '.a@folio.test',
  'a@folio.test2',
  'a@-folio.test',
  'a b@x.test',
  'a@b@x.test',
])('%s is not', (text) => expect(emailFault(emailForm(text))).toBe('email_invalid'))

test.each([
  ['info@bücher.example', 'info@xn--bcher-kva.example'],
  ['Info@BÜCHER.example', 'info@xn--bcher-kva.example'],
  ['info@bu\u0308cher.example', 'info@xn--bcher-kva.example'],
  ['info@xn--BCHER-KVA.example', 'info@xn--bcher-kva.example'],
  ['a@пример.рф', 'a@xn--e1afmkfd.xn--p1ai'],
  ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['\u200b\ufeff Ada@Folio.TEST\u200b\u202c\n', 'ada@folio.test'],
])('%j has one form, in which it is compared, stored and written to', (typed, form) => {
  expect(emailForm(typed)).toBe(form)
  expect(emailForm(form)).toBe(form)
  expect(EmailAddress().parse(typed)).toBe(form)
})

test.each([
  ['a mark that is not seen', 'a\u200bda@folio.test', 'email_hidden_mark'],
  ['… in the domain', 'ada@fo\u00adlio.test', 'email_hidden_mark'],
  ['… in a domain with letters of its own', 'ada@b\u200dücher.example', 'email_hidden_mark'],
  ['a mark that turns the direction', 'ada\u202e@folio.test', 'email_hidden_mark'],
  ['a control character', 'ada\u0007@folio.test', 'email_hidden_mark'],
  ['a letter that is another one in lower case', '\u212aate@folio.test', 'email_letters'],
  ['letters that are others in a compatible form', 'ﬁnn@folio.test', 'email_letters'],
  ['full-width letters', 'ａｄａ@folio.test', 'email_letters'],
  ['a letter that not every mail server knows', 'jürgen@folio.test', 'email_letters'],
  ['what a web address would take', 'ada@bü/cher.example', 'email_invalid'],
  ['an encoded domain', 'ada@b%c3%bccher.example', 'email_invalid'],
  ['an address of the internet protocol', 'ada@１２７.０.０.１', 'email_invalid'],
  ['nothing', ' \u200b', 'email_required'],
])('an address with %s is refused by name, and never becomes another one', (_what, typed, fault) => {
  expect(emailFault(emailForm(typed))).toBe(fault)
  expect(
    EmailAddress()
      .safeParse(typed)
      .error?.issues.map(({ message }) => message),
  ).toEqual([fault])
})
