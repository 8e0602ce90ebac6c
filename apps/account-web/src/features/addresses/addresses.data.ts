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
import { storeReply } from '../../api/query-client.ts'
import { isSignedOut } from '../../api/signed-out.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { addressesQuery } from '../../page/addresses.data.ts'
import { asDefault, editOf } from './addresses.rules.ts'

/** Country names, and the states of one country; by default the profile's. Cached while the page is open. */
export const addressFormQuery = (lang: LocaleCode, country?: string) =>
  queryOptions({
    queryKey: ['address-form', lang, country],
    queryFn: ({ signal }) => call(readAddressForm, { query: { lang, country } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Adds an address, or changes the one with this id. A retry after a lost answer adds it only once. */
export function useSaveAddress(id: string | undefined) {
  const queryClient = useQueryClient()
  const idempotency = useIdempotencyKey()
  return useMutation({
    mutationFn: (edit: AddressEdit) =>
      id === undefined
        ? call(addAddress, { body: edit }, { key: idempotency.key })
        : call(updateAddress, { params: { id }, body: edit }),
    onSuccess: storeList(queryClient),
    onError: (problem) => {
      if (problem instanceof CallProblem && problem.isRefusal) idempotency.renew()
      handleRefusal(queryClient, problem)
    },
  })
}

/** Optimistic, and rolled back if refused. The server defines the order of the list. */
export function useSetDefaultAddress() {
  const queryClient = useQueryClient()
  return useMutation({
    // The request replaces the whole record, so it starts from the current one, not from the cached one.
    mutationFn: async ({ id }: BillingAddress) => {
      const { list } = await call(listAddresses, {})
      const address = list.find((one) => one.id === id)
      if (!address) throw new CallProblem('not_found')
      return call(updateAddress, { params: { id }, body: { ...editOf(address), isDefaultAddress: 1 } })
    },
    onSuccess: storeList(queryClient),
    onMutate: async ({ id }) => {
      await queryClient.cancelQueries(addressesQuery)
      const before = queryClient.getQueryData(addressesQuery.queryKey)
      if (before) queryClient.setQueryData(addressesQuery.queryKey, { list: asDefault(before.list, id) })
      return { before }
    },
    onError: (problem, _address, context) => {
      queryClient.setQueryData(addressesQuery.queryKey, context?.before)
      handleRefusal(queryClient, problem)
    },
  })
}

export function useDeleteAddress() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(deleteAddress, { params: { id } }),
    onSuccess: storeList(queryClient),
    onError: (problem) => handleRefusal(queryClient, problem),
  })
}

function storeList(queryClient: QueryClient) {
  return (fresh: { list: BillingAddress[] }) => storeReply(queryClient, addressesQuery.queryKey, fresh)
}

/**
 * A refusal that depends on the list contains it. After any other failure, or a lost answer, the list is reloaded, unless the
 * session has ended.
 */
function handleRefusal(queryClient: QueryClient, problem: unknown) {
  const fresh =
    problemData(problem, addAddress, 'address_limit') ??
    problemData(problem, updateAddress, 'default_required') ??
    problemData(problem, deleteAddress, 'default_required')
  if (fresh) void storeReply(queryClient, addressesQuery.queryKey, fresh)
  else if (!isSignedOut(problem)) void queryClient.invalidateQueries(addressesQuery)
}
