import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { cardName } from '../../page/card-name.ts'
import { usePage } from '../../page/page-data.ts'
import classes from './due-orders.module.css'

type DueOrder = NonNullable<Subscription['dueOrders']>[number]

interface Props {
  orders: readonly DueOrder[]
  currency: string
  /** Whether each can be paid here. */
  isPayable: boolean
  isWatching: boolean
  onPay(): void
}

/** What an amount that is due consists of. The provider takes the payment of one invoice at a time. */
export function DueOrders({ orders, ...shared }: Props) {
  return (
    <ul className={classes.list}>
      {orders.map((order) => (
        <DueOrderRow key={order.orderNumber} order={order} {...shared} />
      ))}
    </ul>
  )
}

function DueOrderRow({ order, currency, isPayable, isWatching, onPay }: Omit<Props, 'orders'> & { order: DueOrder }) {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  const { support } = usePage()
  const nameId = useId()
  const amount = formatMoney(locale, { amount: order.amount, currency })

  return (
    <li>
      <span id={nameId}>
        <Anchor
          renderRoot={(props) => (
            <Link {...props} to="/account" search={{ tab: 'my-orders', keyWord: order.orderNumber }} />
          )}
        >
          {order.name}
        </Anchor>{' '}
        {formatDate(locale, new Date(order.date), 'UTC')}
      </span>
      {isPayable && !support ? (
        <Button
          component="a"
          href={order.payUrl}
          target="_blank"
          rel="noopener"
          color="bad"
          size="xs"
          variant={isWatching ? 'light' : 'filled'}
          aria-describedby={nameId}
          onClick={onPay}
        >
          {t('due.pay', { amount })}
        </Button>
      ) : (
        <strong>{amount}</strong>
      )}
      {order.decline && <WhyDeclined {...order.decline} />}
    </li>
  )
}

/** With which card, why, and when, as far as the provider says it. */
function WhyDeclined({ reason, card, at }: NonNullable<DueOrder['decline']>) {
  const { t } = useTranslation('problems')
  const { t: subscriptions } = useTranslation('subscriptions')
  const locale = useLocale()
  const sentences = [
    ...(card ? [t('declined_with_card', { card: cardName(card) })] : []),
    t([`card_refused_${reason}`, 'card_refused']),
    ...(at ? [subscriptions('due.lastAttempt', { date: formatDate(locale, new Date(at), 'UTC') })] : []),
  ]
  return <p className={classes.why}>{joinSentences(locale, sentences)}</p>
}
