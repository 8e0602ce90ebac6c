import type { CreditCard } from '@atrium/contract/cards.ts'
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
import classes from './cards.module.css'
import { amountNow, type Overdue, overdueQuery, usePayOverdue } from './overdue.data.ts'
import { useCardName } from './use-card-name.ts'

interface Props {
  /** The default card. */
  card: CreditCard
  /** Whether another one on file could be the default. */
  hasOther: boolean
}

/** What is past due can be paid with the default card, whenever that became it. Nothing is paid in Russian. */
export function OverduePayments(props: Props) {
  const { locale } = usePage()
  const { data: overdue = [] } = useQuery({ ...overdueQuery, enabled: maySell(locale) })
  return overdue.map((one) => <OverduePayment key={one.subscription.stripeSubscriptionId} {...one} {...props} />)
}

function OverduePayment({ subscription, due: shown, card, hasOther }: Props & Overdue) {
  const { t } = useTranslation('cards')
  const locale = useLocale()
  const { mutate, isPending, error } = usePayOverdue(subscription)
  const { appName: product } = subscription
  const name = useCardName()(card)
  const declined = useDeclineSentences(subscription)
  // The same card may have money again.
  const again = hasOther ? 'otherCard' : 'again'
  const way = subscription.declinedCard === card.id ? again : 'sentence'
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
        {amountNow(error)
          ? t('overdue.changed')
          : joinSentences(locale, [...declined, t(`overdue.${way}`, { card: name })])}
      </Notice>
    </div>
  )
}
