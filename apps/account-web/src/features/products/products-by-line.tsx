import { CardGrid, CardGridSkeleton } from '@atrium/ui/card-grid.tsx'
import { Failure } from '@atrium/ui/failure.tsx'
import { ProductMark } from '@atrium/ui/product-mark.tsx'
import { TabStrip } from '@atrium/ui/tab-strip.tsx'
import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { useAddress } from '../../page/use-address.ts'
import { IntegrationsPanel } from './integrations-panel.tsx'
import { NoneActive, NoProduct } from './no-product.tsx'
import { ProductCard } from './product-card.tsx'
import { productsQuery } from './products.data.ts'
import classes from './products.module.css'
import { byUrgency, hasNoneActive, type ProductTab, tabsOf } from './products.rules.ts'
import { ProductsSearch } from './products.search.ts'

const everything = 'all'

/** One of the two lists: a tab for each product line, trials apart, and one for all of them. */
export function ProductsByLine({ list }: { list: 'online' | 'offline' }) {
  const { t } = useTranslation('products')
  const { locale } = usePage()
  const [{ product }, changeAddress] = useAddress(ProductsSearch)
  const { data, error, refetch, isFetching } = useQuery(productsQuery(locale.code, list))
  if (!data && error) return <Failure problem={error} onRetry={() => void refetch()} isRetrying={isFetching} />
  if (!data) return <CardGridSkeleton cards={3} lines={3} />
  if (data.list.length === 0) return <NoProduct products={data} />

  const tabs = tabsOf(data.list)
  const all = { key: everything, name: t('all'), isTrial: false, items: byUrgency(tabs.flatMap(({ items }) => items)) }
  // The address may name a product that they have not, or not any more.
  const shown = tabs.find(({ key }) => key === product) ?? all
  const content = (
    <>
      {shown !== all && hasNoneActive(shown.items) && <NoneActive product={shown.name} />}
      <Products shown={shown} total={data.total} isAll={shown === all} />
    </>
  )
  if (tabs.length === 1 && product === undefined && !tabs[0]?.isTrial) return content

  return (
    <Tabs
      value={shown.key}
      onChange={(key) => changeAddress({ product: key === everything || key === null ? undefined : key })}
      activateTabWithKeyboard={false}
      variant="pills"
      classNames={{ tab: classes.pill ?? '' }}
    >
      <TabStrip label={t('products')} shown={shown.key}>
        {[all, ...tabs].map((tab) => (
          <Tabs.Tab key={tab.key} value={tab.key} leftSection={tab !== all && <TabMark tab={tab} />}>
            {tab.name}
            {tab.isTrial && ' '}
            {tab.isTrial && <span className={classes.trial}>{t('freeTrial')}</span>}
          </Tabs.Tab>
        ))}
      </TabStrip>
      <Tabs.Panel value={shown.key} pt="md">
        {content}
      </Tabs.Panel>
    </Tabs>
  )
}

function TabMark({ tab: { name, items } }: { tab: ProductTab }) {
  return <ProductMark name={name} icon={items[0]?.appIcon ?? ''} size="small" />
}

function Products({ shown, total, isAll }: { shown: ProductTab; total: number; isAll: boolean }) {
  const { t } = useTranslation('products')
  const left = total - shown.items.length
  return (
    <>
      <CardGrid label={t('list')}>
        {shown.items.map((item, place) => (
          <ProductCard key={`${item.appCode} ${item.stripeSubscriptionId || place}`} product={item} />
        ))}
      </CardGrid>
      {isAll && left > 0 && (
        <p className={classes.left}>
          {t('left', { count: left })}{' '}
          <Link to="/account" search={{ tab: 'my-subscriptions' }}>
            {t('allSubscriptions')}
          </Link>
        </p>
      )}
      <IntegrationsPanel items={shown.items} />
    </>
  )
}
