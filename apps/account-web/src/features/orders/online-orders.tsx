import { yearOf } from '@atrium/contract/range.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useDictionary } from '../../page/dictionaries.data.ts'
import { DictionaryFailure } from '../../page/dictionary-failure.tsx'
import { NoMatch } from '../../page/no-match.tsx'
import { usePage } from '../../page/page-data.ts'
import { PagedList } from '../../page/paged-list.tsx'
import { useAddress } from '../../page/use-address.ts'
import { CheckedPayments } from './checked-payments.tsx'
import { NoOnlineOrders } from './no-orders.tsx'
import { useOnlineOrderColumns } from './online-order-columns.tsx'
import { OrderFiles } from './order-files.tsx'
import { OrderFilters } from './order-filters.tsx'
import { onlineOrdersQuery } from './orders.data.ts'
import { noFilter, OrdersFilter, OrdersSearch } from './orders.search.ts'
import { PaidSums } from './paid-sums.tsx'

/** Orders made in the store, newest first, with the filters of the address. */
export function OnlineOrders() {
  const { t } = useTranslation('orders')
  const { locale, support } = usePage()
  const lang = locale.code
  // An agent downloads nothing of the member's.
  const mayDownload = support === null
  const [{ page = 1 }, changeAddress] = useAddress(OrdersSearch)
  const [filter] = useAddress(OrdersFilter)
  const statuses = useDictionary('order-status')
  const columns = useOnlineOrderColumns(statuses)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const { data, isPlaceholderData } = useQuery(onlineOrdersQuery(lang, filter, page))
  const hasNone = data?.total === 0 && !isPlaceholderData && !isFiltered

  const change = (changes: OrdersFilter) => changeAddress({ ...changes, page: undefined })
  const clear = () => change(noFilter)

  return (
    <>
      <CheckedPayments />
      {!hasNone && (
        <OrderFilters filter={filter} statuses={statuses} onChange={change} onClear={isFiltered ? clear : undefined} />
      )}
      <DictionaryFailure dictionary={statuses} />
      {data && (
        <PaidSums
          paid={data.paid}
          year={yearOf(filter.range)}
          isStale={isPlaceholderData}
          onYear={(year) => change({ range: String(year) })}
        />
      )}
      {mayDownload && <OrderFiles filter={filter} statuses={statuses} hasOrders={data?.total !== 0} />}
      <PagedList
        label={t('online.list')}
        columns={columns}
        rowKey={(order) => order.orderNumber}
        query={(wanted) => onlineOrdersQuery(lang, filter, wanted)}
        read={({ list, total }) => ({ rows: list, total })}
        empty={isFiltered ? <NoMatch sentence={t('online.noMatch')} onClear={clear} /> : <NoOnlineOrders />}
      />
    </>
  )
}
