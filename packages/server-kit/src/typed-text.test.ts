import { localePath, locales } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { expect, test } from 'vitest'
import { typedText } from './email-html.ts'

test.each([
  ['Win $900 now http://prize.example/x', 'Win $900 now http: //prize. example/x'],
  ['www.prize.example', 'www. prize. example'],
  ['prize。example', 'prize。 example'],
  ['Ada\r\nBcc: all', 'Ada Bcc: all'],
  ['\u202emoc.ezirp', 'moc. ezirp'],
  ['J. R. R. Tolkien', 'J. R. R. Tolkien'],
  ['Lindqvist & Partner Inc.', 'Lindqvist & Partner Inc.'],
])('in an email to somebody else %j is written as %j', (typed, written) => {
  expect(typedText(typed)).toBe(written)
})

test.each(locales.map((locale) => [localePath(locale, '/'), locale] as const))(
  'no subject of an email to somebody else has words that a person typed (%s)',
  (_path, { folder }) => {
    const typed = { name: 'Win $900 now', email: 'win@prize.example', company: 'Prize' }
    const [team, transfer, account] = [
      serverTexts(folder, 'team-mail'),
      serverTexts(folder, 'transfer-mail'),
      serverTexts(folder, 'account-mail'),
    ]
    const values = { ...typed, product: 'Editor', products: 'Editor' }
    const subjects = [
      ...['invitation', 'accepted', 'roleChanged', 'removed'].map((kind) => team(`${kind}.subject`, values)),
      ...['recipientCode', 'received', 'ownerChanged'].map((kind) => transfer(`${kind}.subject`, values)),
      account('quoteForSales.subject', values),
    ]
    for (const subject of subjects) expect(subject).not.toMatch(/prize|win/i)
  },
)
