import type { OnlineOrder } from '@atrium/contract/orders.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { Money } from '@atrium/ui/money.tsx'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { unbroken } from '@atrium/ui/unbroken.ts'
import { useTranslation } from 'react-i18next'
import { productLines } from './order-sums.rules.ts'
import classes from './orders.module.css'

/** The amount of an order, and what was given back of it so far. */
export function OrderAmount({ order }: { order: OnlineOrder }) {
  const { t } = useTranslation('orders')
  const locale = useLocale()
  const { orderAmount, orderCurrency: currency, orderRefundedAmount: amount, orderRefundDate } = order
  // A calendar day, like the order's own date.
  const date = orderRefundDate === '' ? '' : unbroken(formatDate(locale, new Date(orderRefundDate), 'UTC'))
  const refund = unbroken(t('refunded', { amount: formatMoney(locale, { amount, currency }), date }))

  return (
    <div className={`${classes.charge} ${productLines(order).length > 1 ? classes.below : ''}`}>
      <span className={classes.amount}>
        {orderAmount !== null && <Money amount={orderAmount} currency={currency} />}
      </span>
      {amount > 0 && (
        // A line ends before the date only.
        <div className={classes.refund}>{refund.replace(unbroken(` ${date}`), ` ${date}`)}</div>
      )}
    </div>
  )
}
