import { brandName } from '@atrium/contract/card-brands.ts'
import { type ComingCharge, type RenewalPrompt, type RenewalReason, renewalReasons } from '@atrium/contract/products.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import type { Tone } from '@atrium/ui/notice.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { cardsQuery } from '../../page/cards.data.ts'
import { expiredCard } from '../../page/expired-card.rules.ts'
import { usePage } from '../../page/page-data.ts'
import { type TrialOutcome, useTrialOutcome } from '../../page/use-trial-outcome.ts'
import { promptsQuery } from './products.data.ts'

/** A prompt as it is shown. */
export interface Shown {
  /** Of the server's prompt. */
  subject: string
  reason: RenewalReason
  tone: Extract<Tone, 'bad' | 'warning' | 'info'>
  title: string
  sentence: string
  /** What to do; null: the cards. */
  prompt: RenewalPrompt | null
  product: string
  /** What a trial needs of the cards to continue. */
  cardStep: TrialOutcome['step'] | undefined
}

const tones = {
  past_due: 'bad',
  ended: 'bad',
  ending: 'warning',
  license_ending: 'warning',
  card_expiring: 'warning',
  trial_ending: 'info',
} as const satisfies Record<RenewalReason, Tone>

const isAny = (): boolean => true

/** The prompts of the banner, worst first: the server's, and cards that will have expired when they are charged. */
export function usePrompts(isWanted: (prompt: RenewalPrompt) => boolean = isAny): { shown: Shown[]; total: number } {
  const { locale } = usePage()
  const { data } = useQuery(promptsQuery(locale.code))
  const list = (data?.list ?? []).filter(isWanted)
  const wordsOf = useWords(list)
  const cards = useExpiredCards(data?.charges ?? [])
  const prompts = list.map(wordsOf)
  const shown = [...prompts, ...cards].toSorted((one, other) => rank(one) - rank(other))
  return { shown, total: (data?.total ?? 0) + cards.length }
}

function useWords(list: readonly RenewalPrompt[]) {
  const { t } = useTranslation('products')
  const locale = useLocale()
  const outcomeOf = useTrialOutcome(list.flatMap(({ trial }) => trial ?? []))
  return (prompt: RenewalPrompt): Shown => {
    const { reason, subject, appName: product, remainDays: count } = prompt
    const values = { product, count, date: formatDate(locale, new Date(prompt.date), 'UTC') }
    const outcome = prompt.trial && outcomeOf(prompt.trial, new Date(prompt.date))
    const sentences = [t(`banner.${textOf(prompt)}.text`, values), ...(outcome ? [outcome.sentence] : [])]
    return {
      subject,
      reason,
      tone: tones[reason],
      prompt,
      product,
      title: t(`banner.${reason}.title`, values),
      sentence: sentences.join(' '),
      cardStep: outcome?.step,
    }
  }
}

function rank({ reason }: Shown): number {
  return renewalReasons.indexOf(reason)
}

function textOf({ reason, remainDays }: RenewalPrompt) {
  if (reason === 'license_ending') return 'ending'
  return reason === 'past_due' && remainDays === 0 ? 'past_due_over' : reason
}

/** The cards are asked for only if something will be charged to one. Without an answer nothing is said of them. */
function useExpiredCards(charges: readonly ComingCharge[]): Shown[] {
  const { t } = useTranslation('products')
  const locale = useLocale()
  const { settings } = usePage()
  const { data } = useQuery({ ...cardsQuery, enabled: settings.cards !== null && charges.length > 0 })
  if (!data) return []

  return charges.flatMap(({ stripeSubscriptionId: subject, appName: product, date, paymentMethodId }) => {
    const found = expiredCard({ chargedAt: Date.parse(date), paymentMethodId }, data)
    if (!found) return []
    const { brand, last4, expMonth, expYear } = found.card
    const card = [brandName(brand), `••••\u00a0${last4}`].filter(Boolean).join(' ')
    const month = `${String(expMonth).padStart(2, '0')}/${expYear}`
    return {
      ...({
        subject,
        reason: 'card_expiring',
        tone: tones.card_expiring,
        prompt: null,
        product,
        cardStep: undefined,
      } as const),
      title: found.isExpired
        ? t('banner.card_expiring.expired', { card })
        : t('banner.card_expiring.title', { card, month }),
      sentence: t('banner.card_expiring.text', { product, date: formatDate(locale, new Date(date), 'UTC') }),
    }
  })
}
