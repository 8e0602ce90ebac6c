import {
  deactivateEmailDevice,
  deactivateKeyDevice,
  type EmailDevice,
  exportActivationRecord,
  type KeyDevices,
  listEmailDevices,
  listKeyCodes,
  listKeyDevices,
} from '@atrium/contract/devices.ts'
import { listLicensedProducts, listLicenses } from '@atrium/contract/licenses.ts'
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, problemData } from '../../api/call.ts'
import { prefetch } from '../../api/query-client.ts'
import { saveFile } from '../../api/save-file.ts'
import { listPageSize } from '../../page/list-page.ts'
import { DevicesSearch } from './devices.search.ts'

export const emailDevicesQuery = (page: number) =>
  queryOptions({
    queryKey: ['devices', 'email', page],
    queryFn: ({ signal }) => call(listEmailDevices, { query: { page, pageSize: listPageSize } }, { signal }),
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

export interface KeyPage {
  /** The key's opaque id. */
  code: string
  /** From 1. */
  page: number
}

/** Devices of a key, and the year's remaining allowance. */
export const keyDevicesQuery = ({ code, page }: KeyPage) =>
  queryOptions({
    queryKey: ['devices', 'key', code, page],
    queryFn: ({ signal }) => call(listKeyDevices, { query: { code, page, pageSize: listPageSize } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Stores the list of the reply, or of a refusal because of the device's state. */
export function useDeactivateKeyDevice({ code, page }: KeyPage) {
  const queryClient = useQueryClient()
  const { queryKey } = keyDevicesQuery({ code, page })

  async function follow(fresh: KeyDevices) {
    // A list requested earlier must not overwrite it.
    await queryClient.cancelQueries({ queryKey })
    await queryClient.invalidateQueries({ queryKey: ['devices'], refetchType: 'none' })
    queryClient.setQueryData(queryKey, fresh)
  }

  return useMutation({
    mutationFn: (id: string) =>
      call(deactivateKeyDevice, { params: { id }, body: { code, page, pageSize: listPageSize } }),
    onSuccess: follow,
    onError: (problem) => {
      const codes = ['device_not_active', 'earlier_version', 'license_expired', 'no_deactivations_left'] as const
      const fresh = problemData(problem, deactivateKeyDevice, ...codes)
      if (fresh) return follow(fresh)
      // The answer may be lost, or the key not theirs any more: reloads the list below the failure.
      void queryClient.invalidateQueries({ queryKey: ['devices', 'key', code] })
    },
  })
}

export function useDeactivateEmailDevice(page: number) {
  const queryClient = useQueryClient()
  const { queryKey } = emailDevicesQuery(page)

  async function follow(fresh: EmailDevice) {
    await queryClient.invalidateQueries({ queryKey: ['devices', 'email'], refetchType: 'none' })
    queryClient.setQueryData(
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
  const { method, sku, licenseId, code, page = 1 } = DevicesSearch.parse(search)
  if (code) return prefetch(queryClient, keyDevicesQuery({ code, page }))
  if (licenseId) return prefetch(queryClient, keyCodesQuery(licenseId, page))
  if (method !== 'keycode') return prefetch(queryClient, emailDevicesQuery(page))
  await Promise.all([
    prefetch(queryClient, keycodeProductsQuery),
    prefetch(queryClient, keycodeLicensesQuery(sku, page)),
  ])
}
