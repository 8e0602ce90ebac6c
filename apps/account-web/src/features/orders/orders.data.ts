import { listOfflineOrders } from '@atrium/contract/orders.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** 000 §9. */
export const ordersPageSize = 10

/** While a page is on its way, the one before stays in sight. */
export const offlineOrdersQuery = (page: number) =>
  queryOptions({
    queryKey: ['orders', 'offline', page],
    queryFn: ({ signal }) => call(listOfflineOrders, { query: { page, pageSize: ordersPageSize } }, { signal }),
    placeholderData: keepPreviousData,
  })
