import { downloadKeycodeFile, listLicensedProducts, listLicenses, readLicenseKeys } from '@atrium/contract/licenses.ts'
import { keepPreviousData, type QueryClient, queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { prefetch } from '../../api/query-client.ts'
import { saveFile } from '../../api/save-file.ts'
import { listPageSize } from '../../page/list-page.ts'
import { LicensesSearch } from './licenses.search.ts'

/** Products of which the member has licenses, in the vendor's order: the tabs. */
export const licensedProductsQuery = queryOptions({
  queryKey: ['licenses', 'products'],
  queryFn: ({ signal }) => call(listLicensedProducts, { query: {} }, { signal }),
})

/** Licenses of one product, and how many there are of each. While others are on their way, the ones before stay in sight. */
export function licensesQuery({ sku, status, range, keyWord, page = 1 }: LicensesSearch) {
  const query = { sku, status, range, keyWord, page, pageSize: listPageSize }
  return queryOptions({
    queryKey: ['licenses', 'list', query],
    queryFn: ({ signal }) => call(listLicenses, { query }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Keys in full: asked for when they are wanted, and forgotten as soon as nobody looks at them. */
export const licenseKeysQuery = (licenseId: string) =>
  queryOptions({
    queryKey: ['licenses', 'keys', licenseId],
    queryFn: ({ signal }) => call(readLicenseKeys, { params: { licenseId } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** Lets the browser save the keys of a license as a text file. */
export function useDownloadKeycodeFile() {
  return useMutation({
    mutationFn: (licenseId: string) => call(downloadKeycodeFile, { params: { licenseId } }),
    // The file holds keys: nothing of it stays here.
    gcTime: 0,
    onSuccess: saveFile,
  })
}

/** Asks for what the address names, before the screen is there. */
export async function prefetchLicenses(queryClient: QueryClient, search: object): Promise<void> {
  await Promise.all([
    prefetch(queryClient, licensedProductsQuery),
    prefetch(queryClient, licensesQuery(LicensesSearch.parse(search))),
  ])
}
