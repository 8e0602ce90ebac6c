import { downloadKeycodeFile, listLicensedProducts, listLicenses, readLicenseKeys } from '@atrium/contract/licenses.ts'
import { keepPreviousData, type QueryClient, queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { prefetch } from '../../api/query-client.ts'
import { saveFile } from '../../api/save-file.ts'
import { listPageSize } from '../../page/list-page.ts'
import { LicensesSearch } from './licenses.search.ts'

/** Products of the member's licenses, in the vendor's order: the tabs. */
export const licensedProductsQuery = queryOptions({
  queryKey: ['licenses', 'products'],
  queryFn: ({ signal }) => call(listLicensedProducts, { query: {} }, { signal }),
})

/** Licenses of one product, and the count for each product. The previous list stays visible while another one loads. */
export function licensesQuery({ sku, status, range, keyWord, page = 1 }: LicensesSearch) {
  const query = { sku, status, range, keyWord, page, pageSize: listPageSize }
  return queryOptions({
    queryKey: ['licenses', 'list', query],
    queryFn: ({ signal }) => call(listLicenses, { query }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Full keys: loaded on demand, and removed from the cache as soon as they are not shown. */
export const licenseKeysQuery = (licenseId: string) =>
  queryOptions({
    queryKey: ['licenses', 'keys', licenseId],
    queryFn: ({ signal }) => call(readLicenseKeys, { params: { licenseId } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** Saves the keys of a license as a text file. */
export function useDownloadKeycodeFile() {
  return useMutation({
    mutationFn: (licenseId: string) => call(downloadKeycodeFile, { params: { licenseId } }),
    // The file contains keys: not cached.
    gcTime: 0,
    onSuccess: saveFile,
  })
}

/** Loads the data for an address before its screen. */
export async function prefetchLicenses(queryClient: QueryClient, search: object): Promise<void> {
  await Promise.all([
    prefetch(queryClient, licensedProductsQuery),
    prefetch(queryClient, licensesQuery(LicensesSearch.parse(search))),
  ])
}
