import { type ComingCharge, type RenewalPrompt, renewalReasons } from '@atrium/contract/products.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { useTrialOutcome } from '../../page/use-trial-outcome.ts'
import { promptsQuery } from './products.data.ts'
import { type PromptLine, tones } from './prompt-line.ts'
import { useExpiredCards } from './use-expired-cards.ts'

/** A prompt as it is shown in the banner. */
export interface Shown extends PromptLine {
  sentence: string
}

/** The prompts of the banner, worst first: the server's, and cards that will have expired when they are charged. */
export function usePrompts(): { shown: Shown[]; total: number } {
  const { locale } = usePage()
  const { data } = useQuery(promptsQuery(locale.code))
  const list = data?.list ?? []
  const wordsOf = useWords(list)
  const cards = useCardPrompts(data?.charges ?? [])
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
      sentence: joinSentences(locale, sentences),
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

function useCardPrompts(charges: readonly ComingCharge[]): Shown[] {
  const { t } = useTranslation('products')
  const locale = useLocale()
  return useExpiredCards(charges).map(({ charge, title, cardId }) => ({
    subject: charge.stripeSubscriptionId,
    reason: 'card_expiring',
    tone: tones.card_expiring,
    prompt: null,
    cardId,
    product: charge.appName,
    cardStep: undefined,
    title,
    sentence: t('banner.card_expiring.text', {
      product: charge.appName,
      date: formatDate(locale, new Date(charge.date), 'UTC'),
    }),
  }))
}
