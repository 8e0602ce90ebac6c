import { Failure } from '@atrium/ui/failure.tsx'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useSearch } from '@tanstack/react-router'
import { useDictionary } from '../../page/dictionaries.data.ts'
import { DictionaryFailure } from '../../page/dictionary-failure.tsx'
import { useAddress } from '../../page/use-address.ts'
import { LicenseFilters } from './license-filters.tsx'
import { LicenseList } from './license-list.tsx'
import { licensedProductsQuery, licensesQuery } from './licenses.data.ts'
import { LicensesSearch } from './licenses.search.ts'
import { ProductTabs } from './product-tabs.tsx'

/** A tab per product with its filtered licenses. */
export function LicensesByProduct() {
  const address = useSearch({ strict: false })
  const [search, changeAddress] = useAddress(LicensesSearch)
  const products = useQuery(licensedProductsQuery)
  const { data, isPlaceholderData } = useQuery(licensesQuery(search))
  const statuses = useDictionary('license-status')

  if (!products.data && products.error) {
    return <Failure problem={products.error} onRetry={() => void products.refetch()} isRetrying={products.isFetching} />
  }
  // The address may name a product without licenses, or without them any more.
  if (data && !isPlaceholderData && search.sku && data.sku !== search.sku) {
    return <Navigate to="/account" search={{ ...address, sku: undefined, page: undefined }} replace />
  }

  const list = <LicenseList sku={data?.sku ?? ''} search={search} statuses={statuses} />
  if (products.data?.list.length === 0) return list
  return (
    <ProductTabs
      products={products.data?.list}
      counts={data?.licenses}
      shown={search.sku ?? data?.sku ?? products.data?.list[0]?.sku}
      onShow={(sku) => changeAddress({ sku, page: undefined })}
    >
      <LicenseFilters statuses={statuses} />
      <DictionaryFailure dictionary={statuses} />
      {list}
    </ProductTabs>
  )
}
