import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ListTabs } from '../../page/list-tabs.tsx'
import { usePage } from '../../page/page-data.ts'
import { maySell } from '../../page/shop.rules.ts'
import { useAddress } from '../../page/use-address.ts'
import { BuyButton } from './no-product.tsx'
import { productsQuery } from './products.data.ts'
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

  function open(wanted: 'online' | 'offline') {
    changeAddress({ product: undefined, list: wanted === 'offline' ? wanted : undefined })
  }

  return (
    <PageFrame
      title={frame('tabs.my-products')}
      count={data?.total}
      lead={frame('leads.my-products')}
      action={maySell(locale) && <BuyButton />}
    >
      <RenewalBanner />
      <ListTabs
        list={list}
        labels={{ online: t('online.tab'), offline: t('offline.tab') }}
        offlineHint={t('offline.tooltip')}
        onOpen={open}
      >
        <ProductsByLine list={list} />
      </ListTabs>
    </PageFrame>
  )
}
