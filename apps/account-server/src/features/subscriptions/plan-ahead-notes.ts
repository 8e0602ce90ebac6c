import type { LocaleCode } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { emailFormats } from './email-formats.ts'
import type { PlanAhead, SubscriptionRow } from './subscriptions.tables.ts'

/** A plan with the name of its product. */
export interface NamedPlan extends PlanAhead {
  productName: string
}

/** What waits for the customer's confirmation at PayPal, and what begins with the next period without it. */
export interface WaitingPlans {
  confirmed: NamedPlan
  /** Undefined: what the row says goes on. */
  otherwise: NamedPlan | undefined
}

/** What begins once it is confirmed at PayPal, as the row of My Subscriptions says it; empty without a date. */
export function confirmedNote(
  { confirmed }: WaitingPlans,
  { periodEnd, isPriceHidden }: SubscriptionRow,
  lang: LocaleCode,
): string[] {
  if (!periodEnd) return []
  const { locale, day } = emailFormats(lang)
  const t = serverTexts(locale.folder, 'subscriptions')
  return [t('next.confirmed', { date: day(periodEnd), plan: planText(confirmed, { isPriceHidden, lang }) })]
}

/** What renews without the confirmation. */
export function otherwiseNote(
  { otherwise }: WaitingPlans,
  { isPriceHidden }: SubscriptionRow,
  lang: LocaleCode,
): string[] {
  if (!otherwise) return []
  const t = serverTexts(emailFormats(lang).locale.folder, 'subscriptions')
  return [t('next.otherwise', { plan: planText(otherwise, { isPriceHidden, lang }) })]
}

function planText(plan: NamedPlan, { isPriceHidden, lang }: { isPriceHidden: boolean; lang: LocaleCode }): string {
  const { productName, storageCapacity, userCount, term, price, currency } = plan
  const { locale, money, terabytes } = emailFormats(lang)
  const t = serverTexts(locale.folder, 'subscriptions')
  return [
    productName,
    storageCapacity > 0 ? terabytes(storageCapacity) : t('next.seats', { count: userCount }),
    ...(term === null ? [] : [t(`terms.${term}`)]),
    ...(price === null || currency === null || isPriceHidden ? [] : [money(price, currency)]),
  ].join(' · ')
}
