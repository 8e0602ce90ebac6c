import { brandName as nameOfBrand } from '@atrium/contract/card-brands.ts'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { isCardExpired } from '../../db/calendar.rules.ts'
import type { PaidCard } from '../../outside/billed-invoice.ts'
import type { Payer } from '../../outside/card-provider/payer.ts'
import { emailFormats } from './email-formats.ts'

/** Why a payment would not be made; undefined: it would, or that is not known. */
export function lackOfPayer(payer: Payer | undefined, at: Date): 'none' | 'expired' | undefined {
  if (payer?.is === 'none') return 'none'
  return payer?.is === 'card' && isCardExpired(payer, at) ? 'expired' : undefined
}

/** `Visa •••• 4242` */
export function cardText({ brand, last4 }: PaidCard, lang: LocaleCode): string {
  const { folder } = emailFormats(lang).locale
  const cards = serverTexts(folder, 'cards')
  return `${nameOfBrand(brand) ?? cards('unknownBrand')} ••••\u00a0${last4}`
}

/** The card that will be charged; nothing if none will. */
export function payerFact(payer: Payer | undefined, at: Date, lang: LocaleCode): [name: string, value: string][] {
  if (payer?.is !== 'card' || lackOfPayer(payer, at)) return []
  const { folder } = emailFormats(lang).locale
  const t = serverTexts(folder, 'account-mail')
  return [[t('subscription.chargedTo'), cardText(payer, lang)]]
}

/** That nothing would pay for the renewal, and what to do. */
export function payerNote(payer: Payer | undefined, at: Date, lang: LocaleCode): string[] {
  const lack = lackOfPayer(payer, at)
  if (!lack) return []
  const { folder } = emailFormats(lang).locale
  const t = serverTexts(folder, 'account-mail')
  return [t(`subscription.payerLacks.${lack}`)]
}
