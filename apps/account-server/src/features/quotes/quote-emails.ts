import { english, type LocaleCode, localeByCode } from '@atrium/contract/locale.ts'
import type { QuoteRequest } from '@atrium/contract/quotes.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import {
  emailFacts,
  emailHtml,
  emailNote,
  emailParagraph,
  subjectLine,
  typedText,
} from '@atrium/server-kit/email-html.ts'
import { countryNames, numberFormat } from '@atrium/server-kit/formats.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import { greetedName, memberName } from '../../db/members.rules.ts'
import type { members } from '../../db/members.tables.ts'

export interface QuoteEmail {
  quoteId: string
  request: QuoteRequest
  member: typeof members.$inferSelect
  productName: string
  brandName: string
}

type Written = Pick<Email, 'subject' | 'text' | 'html'>

/** For the vendor's sales, in English: the whole request and the member. */
export function salesEmail(quote: QuoteEmail): Written {
  const { member, request, productName, brandName } = quote
  const t = textsOf(english.code)
  const facts = [
    [t('quote.reference'), quote.quoteId],
    [t('quote.name'), typedText(memberName(english.code, member))],
    [t('quote.email'), member.email],
    [t('quote.phone'), member.phone],
    ...factsOf({ ...quote, productName: `${productName} (${request.productCode})` }, english.code),
  ] as const
  const lead = t('quoteForSales.body', { brand: brandName })
  return written({
    language: english.code,
    brandName,
    subject: t('quoteForSales.subject', { product: productName }),
    paragraphs: [lead],
    facts,
    closing: [],
  })
}

/** For the customer, in their language: a confirmation with the request. */
export function customerEmail(quote: QuoteEmail): Written {
  const { member, request, brandName } = quote
  const t = textsOf(request.lang)
  const name = greetedName(request.lang, member)
  return written({
    language: request.lang,
    brandName,
    subject: t('quote.subject'),
    paragraphs: [name === '' ? t('greetingUnnamed') : t('greeting', { name }), t('quote.body')],
    facts: factsOf(quote, request.lang),
    closing: [t('quote.note'), t('signature', { brand: brandName })],
  })
}

function textsOf(lang: LocaleCode) {
  const { folder } = localeByCode(lang) ?? english
  return serverTexts(folder, 'account-mail')
}

type Facts = readonly (readonly [name: string, value: string])[]

function factsOf({ request, productName }: QuoteEmail, lang: LocaleCode): Facts {
  const t = textsOf(lang)
  const country = countryNames(lang).of(request.country) ?? request.country
  return [
    [t('quote.kind'), t(`quote.kinds.${request.kind}`)],
    [t('quote.product'), productName],
    [t('quote.seats'), numberFormat(lang).format(request.seats)],
    [t('quote.term'), t(`quote.terms.${request.term}`)],
    [t('quote.company'), typedText(request.company)],
    [t('quote.country'), country],
    [t('quote.message'), request.message],
  ]
}

interface Draft {
  language: string
  brandName: string
  subject: string
  paragraphs: readonly string[]
  facts: Facts
  closing: readonly string[]
}

/** The same content as plain text and HTML; empty facts are omitted. */
function written({ language, brandName, subject, paragraphs, facts, closing }: Draft): Written {
  const given = facts.filter(([, value]) => value !== '')
  const list = given.map(([name, value]) => `${name}: ${value}`).join('\n')
  return {
    subject: subjectLine(subject),
    text: [...paragraphs, list, ...closing].join('\n\n'),
    html: emailHtml({
      language,
      brandName,
      parts: [
        ...paragraphs.map(emailParagraph),
        emailFacts(given),
        ...closing.slice(0, -1).map(emailNote),
        ...closing.slice(-1).map(emailParagraph),
      ],
    }),
  }
}
