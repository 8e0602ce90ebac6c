import { CardEdit, type readCard } from '@atrium/contract/cards.ts'
import type { EndpointReply } from '@atrium/contract/endpoint.ts'
import { offered } from '@atrium/ui/choices.rules.ts'
import { fieldErrors } from '@atrium/ui/field-errors.ts'
import { useFieldText } from '@atrium/ui/problem-text.ts'
import { useForm } from '@mantine/form'
import { focusFirstInvalid } from '../../api/focus-first-invalid.ts'
import { schemaErrors } from '../../api/schema-errors.ts'
import type { useUpdateCard } from './cards.data.ts'
import { editOf } from './cards.rules.ts'

export interface EditCardProps {
  known: EndpointReply<typeof readCard>
  update: ReturnType<typeof useUpdateCard>
  onSaved(): void
}

/** The same rules before and after the request: the contract’s, told in the reader’s words. */
export function useEditCard({ known, update, onSaved }: EditCardProps) {
  const fieldText = useFieldText()
  const { countryList, usaStateList } = known.detail
  const form = useForm<CardEdit>({
    initialValues: editOf(known),
    validate: (typed) => inWords(schemaErrors(CardEdit, asShown(typed))),
  })

  function asShown(typed: CardEdit) {
    return { ...typed, country: offered(countryList, typed.country), state: offered(usaStateList, typed.state) }
  }

  function inWords(codes: Readonly<Record<string, string>>) {
    return Object.fromEntries(Object.entries(codes).map(([field, code]) => [field, fieldText(code)]))
  }

  function chooseCountry(chosen: string) {
    form.clearErrors()
    form.setFieldValue('country', chosen)
  }

  const submit = form.onSubmit(
    (typed) =>
      update.mutate(CardEdit.parse(asShown(typed)), {
        onSuccess: onSaved,
        onError: (problem) => {
          form.setErrors(inWords(fieldErrors(problem)))
          focusFirstInvalid(form, Object.keys(fieldErrors(problem)))
        },
      }),
    (errors) => focusFirstInvalid(form, Object.keys(errors)),
  )

  const isAboutFields = Object.keys(fieldErrors(update.error)).length > 0
  const refusal = isAboutFields ? null : update.error
  return { form, chooseCountry, submit, refusal, isSaving: update.isPending }
}
