import { CardEdit, type readCard } from '@atrium/contract/cards.ts'
import type { EndpointReply } from '@atrium/contract/endpoint.ts'
import { offered } from '@atrium/ui/choices.rules.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import type { useUpdateCard } from './cards.data.ts'
import { editOf } from './cards.rules.ts'

export interface EditCardProps {
  known: EndpointReply<typeof readCard>
  update: ReturnType<typeof useUpdateCard>
  onSaved(): void
}

export function useEditCard({ known, update, onSaved }: EditCardProps) {
  const { countryList, usaStateList } = known.detail
  const parts = useContractForm({
    initialValues: editOf(known),
    schema: CardEdit,
    toRequest: (typed) => ({
      ...typed,
      country: offered(countryList, typed.country),
      state: offered(usaStateList, typed.state),
    }),
    send: update.mutateAsync,
    onSent: onSaved,
  })

  function chooseCountry(chosen: string) {
    parts.form.clearErrors()
    parts.form.setFieldValue('country', chosen)
  }

  return { ...parts, chooseCountry }
}
