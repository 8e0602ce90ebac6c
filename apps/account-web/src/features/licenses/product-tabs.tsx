import { useLocale } from '@atrium/ui/locale.ts'
import { ProductMark } from '@atrium/ui/product-mark.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { TabStrip } from '@atrium/ui/tab-strip.tsx'
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './product-tabs.module.css'

interface Product {
  sku: string
  name: string
  icon: string
}

interface Props {
  /** Undefined while loading. */
  products: readonly Product[] | undefined
  /** By sku, if loaded. */
  counts: Readonly<Record<string, { totalLicenseIdNum: number }>> | undefined
  shown: string | undefined
  onShow(sku: string): void
  /** Content of the open tab. */
  children: ReactNode
}

/** A tab per product with its number of licenses; scrolls if there is no room. */
export function ProductTabs({ products, counts, shown, onShow, children }: Props) {
  const { t } = useTranslation('licenses')
  const number = new Intl.NumberFormat(useLocale())

  if (!products || shown === undefined) {
    return (
      <>
        <div className={classes.skeleton} aria-hidden="true">
          <Skeleton width="120px" />
          <Skeleton width="150px" />
          <Skeleton width="90px" />
        </div>
        {children}
      </>
    )
  }
  return (
    <Tabs
      value={shown}
      onChange={(sku) => sku !== null && sku !== shown && onShow(sku)}
      activateTabWithKeyboard={false}
    >
      <TabStrip label={t('products')} shown={shown}>
        {products.map(({ sku, name, icon }) => (
          <Tabs.Tab key={sku} value={sku} leftSection={<ProductMark name={name} icon={icon} size="small" />}>
            {name} <span className={classes.count}>{counts && number.format(counts[sku]?.totalLicenseIdNum ?? 0)}</span>
          </Tabs.Tab>
        ))}
      </TabStrip>
      <Tabs.Panel value={shown} pt="md">
        {children}
      </Tabs.Panel>
    </Tabs>
  )
}
