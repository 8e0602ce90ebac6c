import {
  type AddressEdit,
  addAddress,
  type BillingAddress,
  deleteAddress,
  listAddresses,
  readAddressForm,
  updateAddress,
} from '@atrium/contract/addresses.ts'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, problemData } from '../../api/call.ts'
import { isSignedOut } from '../../api/signed-out.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { asDefault, editOf } from './addresses.rules.ts'

export const addressesQuery = queryOptions({
  queryKey: ['addresses'],
  queryFn: ({ signal }) => call(listAddresses, {}, { signal }),
})

/** Countries, and the states of one; without `country`, of the profile's. They stay what they are while a page is open. */
export const addressFormQuery = (lang: LocaleCode, country?: string) =>
  queryOptions({
    queryKey: ['address-form', lang, country],
    queryFn: ({ signal }) => call(readAddressForm, { query: { lang, country } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Adds an address, or changes the one with this id. Sent again after its answer was lost, it is still added once. */
export function useSaveAddress(id: string | undefined) {
  const queryClient = useQueryClient()
  const idempotency = useIdempotencyKey()
  return useMutation({
    mutationFn: (edit: AddressEdit) =>
      id === undefined
        ? call(addAddress, { body: edit }, { key: idempotency.key })
        : call(updateAddress, { params: { id }, body: edit }),
    ...followed(queryClient),
    onError: (problem) => {
      if (problem instanceof CallProblem && problem.isRefusal) idempotency.renew()
      followRefusal(queryClient, problem)
    },
  })
}

/** Shown at once, and taken back if it is refused. The order of the list is the server's. */
export function useSetDefaultAddress() {
  const queryClient = useQueryClient()
  return useMutation({
    // The record is written whole: as it is now, not as this page has known it.
    mutationFn: async ({ id }: BillingAddress) => {
      const { list } = await call(listAddresses, {})
      const address = list.find((one) => one.id === id)
      if (!address) throw new CallProblem('not_found')
      return call(updateAddress, { params: { id }, body: { ...editOf(address), isDefaultAddress: 1 } })
    },
    ...followed(queryClient),
    onMutate: async ({ id }) => {
      await queryClient.cancelQueries(addressesQuery)
      const before = queryClient.getQueryData(addressesQuery.queryKey)
      if (before) queryClient.setQueryData(addressesQuery.queryKey, { list: asDefault(before.list, id) })
      return { before }
    },
    onError: (problem, _address, context) => {
      queryClient.setQueryData(addressesQuery.queryKey, context?.before)
      followRefusal(queryClient, problem)
    },
  })
}

export function useDeleteAddress() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(deleteAddress, { params: { id } }),
    ...followed(queryClient),
    onError: (problem) => followRefusal(queryClient, problem),
  })
}

/** The reply is the fresh list: nothing is asked for again, and what was asked for before is not waited for. */
function followed(queryClient: QueryClient) {
  return {
    onMutate: () => queryClient.cancelQueries(addressesQuery),
    onSuccess: (fresh: { list: BillingAddress[] }) => {
      queryClient.setQueryData(addressesQuery.queryKey, fresh)
    },
  }
}

/**
 * What the list refuses carries it as it is. Otherwise it did not work, or its answer was lost: the list may not be what it
 * was. Who is signed out cannot ask.
 */
function followRefusal(queryClient: QueryClient, problem: unknown) {
  const fresh =
    problemData(problem, addAddress, 'address_limit') ??
    problemData(problem, updateAddress, 'default_required') ??
    problemData(problem, deleteAddress, 'default_required')
  if (fresh) queryClient.setQueryData(addressesQuery.queryKey, fresh)
  else if (!isSignedOut(problem)) void queryClient.invalidateQueries(addressesQuery)
}
