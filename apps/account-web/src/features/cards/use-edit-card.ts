import { CardEdit, type readCard } from '@atrium/contract/cards.ts'
import type { EndpointReply } from '@atrium/contract/endpoint.ts'
import { fieldErrors } from '@atrium/ui/field-errors.ts'
import { useFieldText } from '@atrium/ui/problem-text.ts'
import { useForm } from '@mantine/form'
import { useState } from 'react'
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
  const begin = editOf(known)
  const [country, setCountry] = useState(begin.country)
  const form = useForm<Omit<CardEdit, 'country'>>({
    mode: 'uncontrolled',
    initialValues: begin,
    validate: (typed) => inWords(schemaErrors(CardEdit, { ...typed, country })),
  })

  function inWords(codes: Readonly<Record<string, string>>) {
    return Object.fromEntries(Object.entries(codes).map(([field, code]) => [field, fieldText(code)]))
  }

  function chooseCountry(chosen: string) {
    form.clearErrors()
    setCountry(chosen)
  }

  const submit = form.onSubmit(
    (typed) =>
      update.mutate(CardEdit.parse({ ...typed, country }), {
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
  return { form, country, chooseCountry, submit, refusal, isSaving: update.isPending }
}
