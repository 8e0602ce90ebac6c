import type { TrialTerms } from '@atrium/contract/products.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { unbroken } from '@atrium/ui/unbroken.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { cardName } from './card-name.ts'
import { cardsQuery } from './cards.data.ts'
import { onlyCard } from './default-card.rules.ts'
import { expiredCard, expiryOf } from './expired-card.rules.ts'
import { usePage } from './page-data.ts'
import { afterTrial, dependsOnCards } from './trial.rules.ts'

/** What follows a trial, in a sentence. */
export interface TrialOutcome {
  sentence: string
  /** What to do about the cards so that it continues; undefined: nothing. */
  step?: 'addCard' | 'chooseDefault' | 'makeDefault'
}

/**
 * Says what follows trials: with something on file they are paid, without it they end. The cards are loaded only if they decide, and
 * nothing is said until then. Needs the texts of `subscriptions`.
 * @param trials all that are shown
 */
export function useTrialOutcome(trials: readonly TrialTerms[]) {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  const { settings } = usePage()
  const { data: cards, isLoading } = useQuery({
    ...cardsQuery,
    enabled: settings.cards !== null && trials.some((trial) => dependsOnCards(trial) && trial.paidFrom === 'account'),
  })

  return (trial: TrialTerms, end: Date): TrialOutcome | undefined => {
    const date = formatDate(locale, end, 'UTC')
    if (dependsOnCards(trial) && trial.paidFrom !== 'account') return elsewhere(trial, date, end)
    if (isLoading && dependsOnCards(trial)) return undefined
    const next = afterTrial(trial, cards, end.getTime())
    if (next === undefined) return { sentence: t('trial.renews') }
    if (next === 'stops') return { sentence: t('trial.ends') }
    if (next === 'paid') return { sentence: paidSentence(trial, date) }
    const expired = cards && expiredCard({ chargedAt: end.getTime(), paymentMethodId: trial.paymentMethodId }, cards)
    if (expired) return { sentence: t('trial.cardExpires', { date, card: cardName(expired.card) }), step: 'addCard' }
    if (next === 'noCard' || !cards) return { sentence: t('trial.noCard', { date }), step: 'addCard' }
    const only = onlyCard(cards)
    if (!only) return { sentence: t('defaultCard.noDefault.trial', { date }), step: 'chooseDefault' }
    return { sentence: t('defaultCard.notDefault.trial', { date, card: cardName(only.card) }), step: 'makeDefault' }
  }

  /** What pays is not on the page of cards: where it is changed, its row says. */
  function elsewhere(trial: TrialTerms, date: string, end: Date): TrialOutcome {
    const { payingCard: card } = trial
    if (!card) return { sentence: t('trial.noCard', { date }) }
    const isValid = end.getTime() < expiryOf({ card })
    return { sentence: isValid ? paidSentence(trial, date) : t('trial.cardExpires', { date, card: cardName(card) }) }
  }

  function paidSentence({ price, currency, paidType }: TrialTerms, date: string): string {
    if (price === undefined || !currency) return t('trial.paid', { date })
    const term = t(paidType === 'yearly' ? 'per.year' : 'per.month')
    return t('trial.paidFor', { date, amount: unbroken(`${formatMoney(locale, { amount: price, currency })} ${term}`) })
  }
}
