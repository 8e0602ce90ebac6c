import type { OnlineOrder } from '@atrium/contract/orders.ts'
import { Money } from '@atrium/ui/money.tsx'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Hint } from '../../page/hint.tsx'
import classes from './orders.module.css'

/** The product lines of an order: the time they are for, the amount if there are several, and the download if there is one. */
export function OrderLines({ order }: { order: OnlineOrder }) {
  const { orderProduct, orderCurrency: currency } = order
  // Lines may be equal, but never change their order.
  const lines = orderProduct.map((line, position) => ({ ...line, position }))

  return lines.map(({ position, name, note, amount, downloadUrl }) => (
    <div key={position} className={classes.line}>
      <div>{downloadUrl === '' ? name : <DownloadableLine text={name} url={downloadUrl} />}</div>
      {amount !== null && lines.length > 1 && <Money amount={amount} currency={currency} />}
      {note !== '' && <div className={classes.note}>{note}</div>}
    </div>
  ))
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
