import type { MyProduct } from '@atrium/contract/products.ts'
import { IconArrowUpRight, IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './products.module.css'

/** Where a product is opened in the browser, and its downloads for each platform. */
export function ProductLinks({ links }: { links: MyProduct['productList'] }) {
  const { t } = useTranslation('products')
  if (links.length === 0) return null

  return (
    <ul className={classes.links}>
      {links.map(({ key, type, url, name, platform }) => (
        <li key={key}>
          {type === 'launch' ? (
            <a href={url} target="_blank" rel="noopener" aria-label={t('links.openLabel', { product: name })}>
              <IconArrowUpRight size={16} stroke={1.6} aria-hidden />
              {t('links.open')}
            </a>
          ) : (
            <a href={url} aria-label={t('links.downloadLabel', { product: name, platform })}>
              <IconDownload size={16} stroke={1.6} aria-hidden />
              {platform}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
