import type { OnlineOrder } from '@atrium/contract/orders.ts'
import { Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './orders.module.css'

/** What was ordered, line by line, each with the way to its download where there is one. */
export function OrderLines({ order }: { order: OnlineOrder }) {
  // Two lines may read alike; they never move.
  const lines = order.orderDescription.map((text, position) => ({
    position,
    text,
    downloadUrl: order.orderProduct[position]?.downloadUrl ?? '',
  }))

  return lines.map(({ position, text, downloadUrl }) => (
    <div key={position} className={classes.line}>
      {downloadUrl === '' ? text : <DownloadableLine text={text} url={downloadUrl} />}
    </div>
  ))
}

/** The icon stays with the line's last word: alone on the next line it would seem to belong to nothing. */
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
    <Tooltip label={t('download.tooltip')}>
      <a
        className={classes.download}
        href={url}
        target="_blank"
        rel="noopener"
        aria-label={t('download.label', { product })}
      >
        <IconDownload size={17} stroke={1.7} aria-hidden />
      </a>
    </Tooltip>
  )
}
