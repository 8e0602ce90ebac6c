import { AddressEdit, type BillingAddress, type readAddressForm } from '@atrium/contract/addresses.ts'
import type { EndpointReply } from '@atrium/contract/endpoint.ts'
import { offered } from '@atrium/ui/choices.rules.ts'
import { fieldErrors } from '@atrium/ui/field-errors.ts'
import { useFieldText } from '@atrium/ui/problem-text.ts'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { focusFirstInvalid } from '../../api/focus-first-invalid.ts'
import { schemaErrors } from '../../api/schema-errors.ts'
import { usePage } from '../../page/page-data.ts'
import { addressFormQuery, type useSaveAddress } from './addresses.data.ts'

export interface AddressFormProps {
  address: BillingAddress | undefined
  isFirst: boolean
  known: EndpointReply<typeof readAddressForm>
  save: ReturnType<typeof useSaveAddress>
  onSaved(): void
  onClose(): void
}

interface Typed extends Pick<AddressEdit, 'orderBillAddress' | 'orderBillCity' | 'orderBillZip'> {
  isDefaultAddress: boolean
}

/** What the rest of the form depends on. */
interface Choice {
  country: string
  /** `null`: the first of the country's list, which may still be on its way. */
  state: string | null
}

/** The same rules before and after the request: the contract's, told in the reader's words. */
export function useAddressForm({ address, known, save, onSaved }: Omit<AddressFormProps, 'isFirst' | 'onClose'>) {
  const inWords = useWords()
  const [choice, setChoice] = useState<Choice>({
    country: address?.orderBillCountry ?? known.country,
    state: address?.orderBillState ?? '',
  })
  const states = useStates(choice.country, known)
  const state = choice.state ?? states.list?.[0]?.code ?? ''
  const form = useForm<Typed>({
    mode: 'uncontrolled',
    initialValues: {
      orderBillAddress: address?.orderBillAddress ?? '',
      orderBillCity: address?.orderBillCity ?? '',
      orderBillZip: address?.orderBillZip ?? '',
      isDefaultAddress: address?.isDefaultAddress === 1,
    },
    // Not on blur: a sentence that appears under the pointer's press moves the button away from its release.
    validate: (typed) => inWords(errorsOf(typed)),
  })

  function editOf(typed: Typed) {
    const chosen = {
      orderBillCountry: offered(known.countryList, choice.country),
      orderBillState: offered(states.list ?? [], state),
    }
    return { ...typed, ...chosen, isDefaultAddress: typed.isDefaultAddress ? 1 : 0 }
  }

  function errorsOf(typed: Typed): Record<string, string> {
    const edit = editOf(typed)
    const hasState = edit.orderBillState !== '' || states.list?.length === 0
    return { ...schemaErrors(AddressEdit, edit), ...(!hasState && { orderBillState: 'state_required' }) }
  }

  /** Another country has other states, and needs other things. */
  function chooseCountry(country: string) {
    form.clearErrors()
    setChoice({ country, state: null })
  }

  function chooseState(chosen: string) {
    form.clearFieldError('orderBillState')
    setChoice({ ...choice, state: chosen })
  }

  const submit = form.onSubmit(
    (typed) =>
      save.mutate(AddressEdit.parse(editOf(typed)), {
        onSuccess: onSaved,
        onError: (problem) => {
          form.setErrors(inWords(fieldErrors(problem)))
          focusFirstInvalid(form, Object.keys(fieldErrors(problem)))
        },
      }),
    (errors) => focusFirstInvalid(form, Object.keys(errors)),
  )

  const isAboutFields = Object.keys(fieldErrors(save.error)).length > 0
  const refusal = isAboutFields ? null : save.error
  return { form, country: choice.country, state, states, chooseCountry, chooseState, submit, refusal }
}

function useWords() {
  const fieldText = useFieldText()
  return (codes: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(codes).map(([field, code]) => [field, fieldText(code)]))
}

/** The states of the chosen country; no list while they are on their way. */
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
