import type { OnlineOrder } from '@atrium/contract/orders.ts'
import { Money } from '@atrium/ui/money.tsx'
import { numbersTogether } from '@atrium/ui/unbroken.ts'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Hint } from '../../page/hint.tsx'
import { orderSums } from './order-sums.rules.ts'
import classes from './orders.module.css'

/**
 * The product lines of an order: the time they are for, the download if there is one, and the amounts, unless the only one is the
 * order's; then discount, tax and total.
 */
export function OrderLines({ order }: { order: OnlineOrder }) {
  const { t } = useTranslation('orders')
  const { orderProduct, orderCurrency: currency } = order
  const amountName = order.orderTotal === order.orderAmount ? 'total' : 'charged'
  // Lines may be equal, but never change their order.
  const lines = orderProduct
    .map((line, position) => ({ ...line, name: numbersTogether(line.name), position }))
    .filter(({ isDiscount }) => isDiscount === 0)
  const sums = orderSums(order)
  const isAdded = lines.length > 1 || sums.length > 0

  return (
    <>
      {lines.map(({ position, name, note, amount, downloadUrl }) => (
        <div key={position} className={classes.line}>
          <div>{downloadUrl === '' ? name : <DownloadableLine text={name} url={downloadUrl} />}</div>
          {amount !== null && isAdded && <Money amount={amount} currency={currency} />}
          {note !== '' && <div className={classes.note}>{note}</div>}
        </div>
      ))}
      {sums.map(({ name, amount }) => (
        <div key={name} className={`${classes.line} ${classes.sum}`} data-is-amount={name === amountName || undefined}>
          <div>{t(`sums.${name}`)}</div>
          <Money amount={amount} currency={currency} />
        </div>
      ))}
    </>
  )
}

/** Keeps the icon with the line's last word, so that it does not wrap alone. */
function DownloadableLine({ text, url }: { text: string; url: string }) {
  const lastWord = text.lastIndexOf(' ') + 1

  return (
    <>
      {text.slice(0, lastWord)}
      <span className={classes.together}>
        {text.slice(lastWord)}
        <DownloadLink product={text} url={url} />
      </span>
    </>
  )
}

function DownloadLink({ product, url }: { product: string; url: string }) {
  const { t } = useTranslation('orders')

  return (
    <Hint label={t('download.tooltip')}>
      <a
        className={classes.download}
        href={url}
        target="_blank"
        rel="noopener"
        aria-label={t('download.label', { product })}
      >
        <IconDownload size={17} stroke={1.7} aria-hidden />
      </a>
    </Hint>
  )
}
