import { AddressEdit, type BillingAddress, type readAddressForm } from '@atrium/contract/addresses.ts'
import type { EndpointReply } from '@atrium/contract/endpoint.ts'
import { offered } from '@atrium/ui/choices.rules.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePage } from '../../page/page-data.ts'
import { addressFormQuery, type useSaveAddress } from './addresses.data.ts'

export interface AddressFormProps {
  address: BillingAddress | undefined
  isFirst: boolean
  known: EndpointReply<typeof readAddressForm>
  save: ReturnType<typeof useSaveAddress>
  onSaved(saved: AddressEdit): void
  onClose(): void
}

interface Typed extends Pick<AddressEdit, 'orderBillAddress' | 'orderBillCity' | 'orderBillZip'> {
  isDefaultAddress: boolean
}

/** The choices on which the rest of the form depends. */
interface Choice {
  country: string
  /** `null`: the first state of the list, which may still be loading. */
  state: string | null
}

export function useAddressForm({ address, known, save, onSaved }: Omit<AddressFormProps, 'isFirst' | 'onClose'>) {
  const [choice, setChoice] = useState<Choice>({
    country: address?.orderBillCountry ?? known.country,
    state: address?.orderBillState ?? '',
  })
  const states = useStates(choice.country, known)
  const state = choice.state ?? states.list?.[0]?.code ?? ''
  const chosenState = offered(states.list ?? [], state)
  const initialValues: Typed = {
    orderBillAddress: address?.orderBillAddress ?? '',
    orderBillCity: address?.orderBillCity ?? '',
    orderBillZip: address?.orderBillZip ?? '',
    isDefaultAddress: address?.isDefaultAddress === 1,
  }
  const parts = useContractForm({
    initialValues,
    schema: AddressEdit,
    toRequest: (typed) => ({
      ...typed,
      orderBillCountry: offered(known.countryList, choice.country),
      orderBillState: chosenState,
      isDefaultAddress: typed.isDefaultAddress ? 1 : 0,
    }),
    check: () => ({ orderBillState: chosenState === '' && states.list?.length !== 0 ? 'state_required' : undefined }),
    send: save.mutateAsync,
    onSent: (_reply, saved) => onSaved(saved),
  })

  /** Another country has other states and other required fields. A browser that fills in a form may choose the same one again. */
  function chooseCountry(country: string) {
    if (country === choice.country) return
    parts.form.clearErrors()
    setChoice({ country, state: null })
  }

  function chooseState(chosen: string) {
    parts.form.clearFieldError('orderBillState')
    setChoice({ ...choice, state: chosen })
  }

  return { ...parts, country: choice.country, state, states, chooseCountry, chooseState }
}

/** The states of the chosen country; undefined while they load. */
function useStates(country: string, known: AddressFormProps['known']) {
  const { locale } = usePage()
  const isKnown = country === known.country
  const { data, error, refetch, isFetching } = useQuery({
    ...addressFormQuery(locale.code, country),
    enabled: !isKnown,
  })
  const list = isKnown ? known.stateList : data?.stateList
  return { list, problem: list || isFetching ? null : error, retry: () => void refetch() }
}
