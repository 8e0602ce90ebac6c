import type { LocaleCode } from '@atrium/contract/locale.ts'
import {
  downloadInvoice,
  listOfflineOrders,
  listOnlineOrders,
  listPaymentsBeingChecked,
  type OnlineOrder,
} from '@atrium/contract/orders.ts'
import { keepPreviousData, type QueryClient, queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { prefetch } from '../../api/query-client.ts'
import { saveFile } from '../../api/save-file.ts'
import { listPageSize } from '../../page/list-page.ts'
import { usePage } from '../../page/page-data.ts'
import { OrdersFilter, OrdersSearch } from './orders.search.ts'

/** The previous page stays visible while another one loads. */
export const onlineOrdersQuery = (lang: LocaleCode, filter: OrdersFilter, page: number) =>
  queryOptions({
    queryKey: ['orders', 'online', lang, filter, page],
    queryFn: ({ signal }) =>
      call(listOnlineOrders, { query: { ...filter, page, pageSize: listPageSize, lang } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const offlineOrdersQuery = (keyWord: string, page: number) =>
  queryOptions({
    queryKey: ['orders', 'offline', keyWord, page],
    queryFn: ({ signal }) => call(listOfflineOrders, { query: { keyWord, page, pageSize: listPageSize } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Loads the list for an address. */
export function prefetchOrders(queryClient: QueryClient, lang: LocaleCode, search: unknown): Promise<void> {
  const { list, keyWord = '', page = 1 } = OrdersSearch.parse(search)
  return list === 'offline'
    ? prefetch(queryClient, offlineOrdersQuery(keyWord, page))
    : prefetch(queryClient, onlineOrdersQuery(lang, OrdersFilter.parse(search), page))
}

/** Saves the invoice of an order, or its substitute, under the name from the server. */
export function useDownloadInvoice() {
  const { locale } = usePage()
  return useMutation({
    mutationFn: ({ orderNumber, orderInvoiceNum }: OnlineOrder) =>
      call(downloadInvoice, { body: { orderNum: orderNumber, invoiceNum: orderInvoiceNum, lang: locale.code } }),
    onSuccess: saveFile,
  })
}

/** What the member has paid, and is being checked. */
export const checkedPaymentsQuery = queryOptions({
  queryKey: ['orders', 'checked'],
  queryFn: ({ signal }) => call(listPaymentsBeingChecked, {}, { signal }),
})
