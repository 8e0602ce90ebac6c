import {
  deactivateEmailDevice,
  deactivateKeyDevice,
  type EmailDevice,
  exportActivationRecord,
  type KeyDevices,
  listEmailDevices,
  listKeyCodes,
  listKeyDevices,
  searchKeys,
} from '@atrium/contract/devices.ts'
import { listLicensedProducts, listLicenses } from '@atrium/contract/licenses.ts'
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, problemData } from '../../api/call.ts'
import { prefetch, storeReply } from '../../api/query-client.ts'
import { saveFile } from '../../api/save-file.ts'
import { listPageSize } from '../../page/list-page.ts'
import { DevicesSearch } from './devices.search.ts'

export interface SearchedPage {
  /** What is searched for; empty: all. */
  keyWord: string
  /** From 1. */
  page: number
}

export const emailDevicesQuery = ({ keyWord, page }: SearchedPage) =>
  queryOptions({
    queryKey: ['devices', 'email', keyWord, page],
    queryFn: ({ signal }) => call(listEmailDevices, { query: { keyWord, page, pageSize: listPageSize } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Keys of any license of the member's, by what they activated or their last characters. */
export const foundKeysQuery = ({ keyWord, page }: SearchedPage) =>
  queryOptions({
    queryKey: ['devices', 'found-keys', keyWord, page],
    queryFn: ({ signal }) => call(searchKeys, { query: { keyWord, page, pageSize: listPageSize } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Products whose devices the member activates with a key. */
export const keycodeProductsQuery = queryOptions({
  queryKey: ['devices', 'products'],
  queryFn: ({ signal }) => call(listLicensedProducts, { query: { from: 'device' } }, { signal }),
})

/** Licenses of a product that are activated with a key; without `sku`, of the first product. */
export const keycodeLicensesQuery = (sku: string | undefined, page: number) =>
  queryOptions({
    queryKey: ['devices', 'licenses', sku, page],
    queryFn: ({ signal }) =>
      call(listLicenses, { query: { from: 'device', sku, page, pageSize: listPageSize } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** The masked keys of a license. */
export const keyCodesQuery = (licenseId: string, page: number) =>
  queryOptions({
    queryKey: ['devices', 'key-codes', licenseId, page],
    queryFn: ({ signal }) =>
      call(listKeyCodes, { params: { licenseId }, query: { page, pageSize: listPageSize } }, { signal }),
    placeholderData: keepPreviousData,
  })

export interface KeyPage extends SearchedPage {
  /** The key's opaque id. */
  code: string
}

/** Devices of a key, and the year's remaining allowance. */
export const keyDevicesQuery = (place: KeyPage) =>
  queryOptions({
    queryKey: ['devices', 'key', place.code, place.keyWord, place.page],
    queryFn: ({ signal }) => call(listKeyDevices, { query: { ...place, pageSize: listPageSize } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Stores the list of the reply, or of a refusal because of the device's state. */
export function useDeactivateKeyDevice(place: KeyPage) {
  const queryClient = useQueryClient()
  const { queryKey } = keyDevicesQuery(place)

  async function follow(fresh: KeyDevices) {
    await queryClient.invalidateQueries({ queryKey: ['devices'], refetchType: 'none' })
    await storeReply(queryClient, queryKey, fresh)
  }

  return useMutation({
    mutationFn: (id: string) =>
      call(deactivateKeyDevice, { params: { id }, body: { ...place, pageSize: listPageSize } }),
    onSuccess: follow,
    onError: (problem) => {
      const codes = ['device_not_active', 'earlier_version', 'license_expired', 'no_deactivations_left'] as const
      const fresh = problemData(problem, deactivateKeyDevice, ...codes)
      if (fresh) return follow(fresh)
      // The answer may be lost, or the key not theirs any more: reloads the list below the failure.
      void queryClient.invalidateQueries({ queryKey: ['devices', 'key', place.code] })
    },
  })
}

export function useDeactivateEmailDevice(place: SearchedPage) {
  const queryClient = useQueryClient()
  const { queryKey } = emailDevicesQuery(place)

  async function follow(fresh: EmailDevice) {
    await queryClient.invalidateQueries({ queryKey: ['devices', 'email'], refetchType: 'none' })
    await storeReply(
      queryClient,
      queryKey,
      (before) =>
        before && {
          ...before,
          licenceList: before.licenceList.map((device) => (device.licenseId === fresh.licenseId ? fresh : device)),
        },
    )
  }

  return useMutation({
    mutationFn: (licenceId: string) => call(deactivateEmailDevice, { params: { licenceId } }),
    onSuccess: follow,
    onError: (problem) => {
      const fresh = problemData(problem, deactivateEmailDevice, 'device_not_active')
      if (fresh) return follow(fresh)
      void queryClient.invalidateQueries({ queryKey: ['devices', 'email'] })
    },
  })
}

/** Lets the browser save a key's activation record. */
export function useExportActivationRecord() {
  return useMutation({
    mutationFn: (code: string) => call(exportActivationRecord, { query: { code } }),
    onSuccess: ({ content, fileName }) => saveFile({ content, filename: fileName }),
  })
}

/** Loads the data for an address before its screen. */
export async function prefetchDevices(queryClient: QueryClient, search: object): Promise<void> {
  const { method, sku, licenseId, code, keyWord = '', page = 1 } = DevicesSearch.parse(search)
  if (code) return prefetch(queryClient, keyDevicesQuery({ code, keyWord, page }))
  if (licenseId) return prefetch(queryClient, keyCodesQuery(licenseId, page))
  if (method !== 'keycode') return prefetch(queryClient, emailDevicesQuery({ keyWord, page }))
  if (keyWord !== '') return prefetch(queryClient, foundKeysQuery({ keyWord, page }))
  await Promise.all([
    prefetch(queryClient, keycodeProductsQuery),
    prefetch(queryClient, keycodeLicensesQuery(sku, page)),
  ])
}
