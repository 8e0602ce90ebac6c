import type { MyProduct } from '@atrium/contract/products.ts'
import { IconArrowUpRight, IconDownload, IconTimeline } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { CloudLink } from './cloud-link.tsx'
import classes from './products.module.css'

interface Props {
  links: MyProduct['productList']
  /** Empty: it has none. */
  roadmapUrl: string
  /** Of the product, for a screen reader. */
  name: string
}

/** Where a product is opened in the browser, its downloads for each platform, and its roadmap. */
export function ProductLinks({ links, roadmapUrl, name }: Props) {
  const { t } = useTranslation('products')
  const { support } = usePage()
  // A support agent gets no addresses outside of their page.
  const open = links.filter(({ url, type }) => !support || (type !== 'cloud' && url !== ''))
  const hasRoadmap = roadmapUrl !== '' && !support
  if (open.length === 0 && !hasRoadmap) return null

  return (
    <ul className={classes.links}>
      {open.map(({ key, type, url, name: product, platform }) => (
        <li key={key}>
          {type === 'cloud' && <CloudLink product={product} />}
          {type === 'launch' && (
            <a href={url} target="_blank" rel="noopener" aria-label={t('links.openLabel', { product })}>
              <IconArrowUpRight size={16} stroke={1.6} aria-hidden />
              {t('links.open')}
            </a>
          )}
          {type === 'download' && (
            <a href={url} aria-label={t('links.downloadLabel', { product, platform })}>
              <IconDownload size={16} stroke={1.6} aria-hidden />
              {platform}
            </a>
          )}
        </li>
      ))}
      {hasRoadmap && (
        <li>
          <a href={roadmapUrl} aria-label={t('links.roadmapLabel', { product: name })}>
            <IconTimeline size={16} stroke={1.6} aria-hidden />
            {t('links.roadmap')}
          </a>
        </li>
      )}
    </ul>
  )
}
