import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { Tabs } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Hint } from '../../page/hint.tsx'
import { usePage } from '../../page/page-data.ts'
import { maySell } from '../../page/shop.rules.ts'
import { useAddress } from '../../page/use-address.ts'
import { BuyButton } from './no-product.tsx'
import { productsQuery } from './products.data.ts'
import classes from './products.module.css'
import { ProductsSearch } from './products.search.ts'
import { ProductsByLine } from './products-by-line.tsx'
import { RenewalBanner } from './renewal-banner.tsx'

/** 001 §2, "My Products". */
export function MyProductsScreen() {
  const { t } = useTranslation('products')
  const { t: frame } = useTranslation('frame')
  const { locale } = usePage()
  const [{ list = 'online' }, changeAddress] = useAddress(ProductsSearch)
  const { data } = useQuery(productsQuery(locale.code, list))

  function open(wanted: string | null) {
    changeAddress({ product: undefined, list: wanted === 'offline' ? wanted : undefined })
  }

  return (
    <PageFrame
      title={frame('tabs.my-products')}
      count={data?.total}
      lead={t('lead')}
      action={maySell(locale) && <BuyButton />}
    >
      <RenewalBanner />
      <Tabs value={list} onChange={open} keepMounted={false} classNames={{ tab: classes.tab ?? '' }}>
        <Tabs.List>
          <Tabs.Tab value="online">{t('online.tab')}</Tabs.Tab>
          <Hint label={t('offline.tooltip')} multiline w={280}>
            <Tabs.Tab value="offline" rightSection={<IconInfoCircle size={16} stroke={1.6} aria-hidden />}>
              {t('offline.tab')}
            </Tabs.Tab>
          </Hint>
        </Tabs.List>
        <Tabs.Panel value={list} pt="md">
          <ProductsByLine list={list} />
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  )
}
