import type { CreditCard } from '@atrium/contract/cards.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { showSuccess } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { maySell } from '../../page/shop.rules.ts'
import { useDeclineSentences } from '../../page/use-decline-sentences.ts'
import { amountNow, usePayOverdue } from '../../page/use-pay-overdue.ts'
import classes from './cards.module.css'
import { stepsAfterDecline } from './cards.rules.ts'
import { type Overdue, overdueQuery } from './overdue.data.ts'
import { UnpaidNotices } from './unpaid-notices.tsx'
import { useCardName } from './use-card-name.ts'

interface Props {
  /** The default card. */
  card: CreditCard
  /** Whether another one on file could be the default. */
  hasOther: boolean
}

/** What is past due can be paid with the default card, whenever that became it. In Russian, where nothing is paid, it is only explained. */
export function OverduePayments(props: Props) {
  const { locale } = usePage()
  const { data: overdue = [] } = useQuery(overdueQuery)
  if (!maySell(locale)) return <UnpaidNotices />
  return overdue.map((one) => <OverduePayment key={one.subscription.stripeSubscriptionId} {...one} {...props} />)
}

function OverduePayment({ subscription, due: shown, card, hasOther }: Props & Overdue) {
  const { t } = useTranslation('cards')
  const locale = useLocale()
  const { mutate, isPending, error } = usePayOverdue(subscription)
  const { appName: product } = subscription
  const sentences = useSentences({ subscription, card, hasOther, isDeclineSaid: isDecline(error) })
  const due = amountNow(error) ?? shown
  const amount = formatMoney(locale, due)

  function pay() {
    const done = () => showSuccess(t('overdue.paid', { amount, product }))
    mutate(
      { ...due, paymentMethodId: card.id },
      { onSuccess: ({ paymentIntentStatus: is }) => is === 'succeeded' && done() },
    )
  }

  return (
    <div className={classes.notice}>
      {error && !amountNow(error) && <InlineFailure problem={error} />}
      <Notice
        tone="bad"
        title={t('overdue.title', { product })}
        action={
          <Button onClick={pay} loading={isPending}>
            {t('overdue.pay', { amount })}
          </Button>
        }
      >
        {amountNow(error) ? t('overdue.changed') : joinSentences(locale, sentences)}
      </Notice>
    </div>
  )
}

interface Reasons extends Props, Pick<Overdue, 'subscription'> {
  /** Just now, above the notice. */
  isDeclineSaid: boolean
}

/** Why the payment failed, and what can be done about it: each said once. */
function useSentences({ subscription, card, hasOther, isDeclineSaid }: Reasons): string[] {
  const { t } = useTranslation('cards')
  const name = useCardName()(card)
  const declined = useDeclineSentences(subscription)
  const { declinedCard, declineReason } = subscription
  if (declinedCard !== card.id) return [...declined, t('overdue.sentence', { card: name })]
  // The same card may have money again.
  if (declineReason === '') return [t(hasOther ? 'overdue.otherCard' : 'overdue.again', { card: name })]
  const steps = stepsAfterDecline(declineReason, hasOther)
  const reasons = isDeclineSaid && steps.length > 0 ? [] : declined
  return [...reasons, ...steps.map((step) => t(`overdue.${step}`, { card: name }))]
}

function isDecline(problem: Error | null): boolean {
  return problem instanceof CallProblem && problem.code === 'card_refused'
}
