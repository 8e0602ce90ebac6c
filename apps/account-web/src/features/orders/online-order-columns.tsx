import type { OnlineOrder, OrderStatus } from '@atrium/contract/orders.ts'
import { DateText } from '@atrium/ui/date-text.tsx'
import type { Column } from '@atrium/ui/list-column.ts'
import type { Tone } from '@atrium/ui/notice.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CopyableCode } from '../../page/copyable-code.tsx'
import type { Dictionary } from '../../page/dictionaries.data.ts'
import { usePaymentWatch } from '../../page/use-payment-watch.ts'
import { InvoiceButton } from './invoice-button.tsx'
import { OrderAmount } from './order-amount.tsx'
import { OrderLines } from './order-lines.tsx'
import classes from './orders.module.css'
import { PayLink } from './pay-link.tsx'

const tones: Readonly<Record<OrderStatus, Tone>> = {
  WT: 'info',
  PD: 'warning',
  QT: 'info',
  OP: 'info',
  CO: 'good',
  CL: 'off',
}

/** 000 §2.6. `statuses`: the names of order states. */
export function useOnlineOrderColumns(statuses: Dictionary): Column<OnlineOrder>[] {
  const { t } = useTranslation('orders')
  // Whoever pays in another tab comes back to the truth.
  const { watch } = usePaymentWatch('orders')
  return [
    {
      key: 'number',
      label: t('columns.number'),
      render: (order) => <CopyableCode code={order.orderNumber} label={t('columns.number')} />,
    },
    {
      key: 'products',
      label: t('columns.products'),
      place: 'title',
      isWrapping: true,
      // The other columns need no more than their content.
      width: '40%',
      render: (order) => <OrderLines order={order} />,
    },
    {
      key: 'amount',
      label: t('columns.amount'),
      align: 'end',
      place: 'corner',
      render: (order) => <OrderAmount order={order} />,
    },
    {
      key: 'status',
      label: t('columns.status'),
      width: '9.5rem',
      render: (order) => (
        <>
          <StatusOfOrder order={order} statuses={statuses} />
          <PayLink order={order} onPay={watch} />
        </>
      ),
    },
    {
      key: 'date',
      label: t('columns.date'),
      render: (order) => (
        <span className={classes.date}>
          <DateText date={new Date(order.orderDate)} isDay />
        </span>
      ),
    },
    {
      key: 'invoice',
      label: t('columns.invoice'),
      place: 'action',
      align: 'end',
      render: (order) => <InvoiceButton order={order} />,
    },
  ]
}

/** A payment that failed, or that a change waits for, is a subscription's: there it can be made, or the change dropped. */
function StatusOfOrder({
  order: { orderStatus, isPaymentDue, isChangeWaiting, isChangeNotMade, isSubscriptionEnded },
  statuses,
}: {
  order: OnlineOrder
  statuses: Dictionary
}) {
  const { t } = useTranslation('orders')
  return (
    <>
      <Status tone={tones[orderStatus]} code={orderStatus} statuses={statuses} />
      {isPaymentDue === 1 && (
        <Link to="/account" search={{ tab: 'my-subscriptions' }} className={`${classes.reason} ${classes.due}`}>
          {t('paymentFailed')}
        </Link>
      )}
      {isChangeWaiting === 1 && (
        <Link to="/account" search={{ tab: 'my-subscriptions' }} className={classes.reason}>
          {t('changeWaiting')}
        </Link>
      )}
      {isChangeNotMade === 1 && <div className={classes.reason}>{t('changeNotMade')}</div>}
      {isSubscriptionEnded === 1 && <div className={classes.reason}>{t('subscriptionEnded')}</div>}
    </>
  )
}

/** Shown with its name only: without the names a state is unknown, rather than a color. */
function Status({ tone, code, statuses }: { tone: Tone; code: OrderStatus; statuses: Dictionary }) {
  if (statuses.problem) return <StatusDot tone="off">–</StatusDot>

  const name = statuses.nameOf(code)
  return (
    <span className={classes.together}>
      <StatusDot tone={tone}>{name ?? <Skeleton width="72px" />}</StatusDot>
    </span>
  )
}
