import type { OnlineOrder } from '@atrium/contract/orders.ts'
import { Money } from '@atrium/ui/money.tsx'
import { numbersTogether } from '@atrium/ui/unbroken.ts'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Hint } from '../../page/hint.tsx'
import { orderSums, productLines } from './order-sums.rules.ts'
import classes from './orders.module.css'

/**
 * The product lines of an order: the time they are for, the download if there is one, and the amounts, unless the only one is the
 * order's; then discount, tax and total.
 */
export function OrderLines({ order }: { order: OnlineOrder }) {
  const { t } = useTranslation('orders')
  const { orderAmount, orderCurrency: currency } = order
  const amountName = order.orderTotal === orderAmount ? 'total' : 'charged'
  // Lines may be equal, but never change their order.
  const lines = productLines(order).map((line, position) => ({ ...line, name: numbersTogether(line.name), position }))
  const sums = orderSums(order)
  const hasSeveral = lines.length > 1
  const isAdded = hasSeveral || sums.length > 0
  // A card has the order's amount beside its only line, or below several.
  const kindOfAmount = hasSeveral ? classes.total : classes.inHead

  return (
    <>
      {lines.map(({ position, name, note, amount, downloadUrl }) => (
        <div key={position} className={`${classes.line} ${hasSeveral ? classes.several : classes.single}`}>
          <div>{downloadUrl === '' ? name : <DownloadableLine text={name} url={downloadUrl} />}</div>
          {amount !== null && isAdded && <Money amount={amount} currency={currency} />}
          {note !== '' && <div className={classes.note}>{note}</div>}
        </div>
      ))}
      {sums.map(({ name, amount }) => (
        <Sum key={name} label={t(`sums.${name}`)} kind={name === amountName ? kindOfAmount : ''}>
          <Money amount={amount} currency={currency} />
        </Sum>
      ))}
      {hasSeveral && sums.length === 0 && orderAmount !== null && (
        <Sum label={t('sums.total')} kind={`${kindOfAmount} ${classes.onlyInCard}`}>
          <Money amount={orderAmount} currency={currency} />
        </Sum>
      )}
    </>
  )
}

function Sum({ label, kind, children }: { label: string; kind: string | undefined; children: ReactNode }) {
  return (
    <div className={`${classes.line} ${classes.sum} ${kind}`}>
      <div>{label}</div>
      {children}
    </div>
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
