import type { EndpointReply } from '@atrium/contract/endpoint.ts'
import type { readQuoteForm } from '@atrium/contract/quotes.ts'
import { type QuoteKind, QuoteRequest } from '@atrium/contract/quotes.ts'
import { offered } from '@atrium/ui/choices.rules.ts'
import { fieldErrors } from '@atrium/ui/field-errors.ts'
import { useFieldText } from '@atrium/ui/problem-text.ts'
import { useForm } from '@mantine/form'
import { focusFirstInvalid } from '../../api/focus-first-invalid.ts'
import { schemaErrors } from '../../api/schema-errors.ts'
import { usePage } from '../../page/page-data.ts'
import type { useRequestQuote } from './quotes.data.ts'

export interface QuoteFormProps {
  kind: QuoteKind
  known: EndpointReply<typeof readQuoteForm>
  request: ReturnType<typeof useRequestQuote>
  onSent(): void
  onClose(): void
}

/** As typed: no number yet is an empty text. */
interface Typed extends Omit<QuoteRequest, 'kind' | 'lang' | 'seats'> {
  seats: number | string
}

/** The same rules before and after the request: the contract's, told in the reader's words. */
export function useQuoteForm({ kind, known, request, onSent }: QuoteFormProps) {
  const { locale } = usePage()
  const fieldText = useFieldText()
  const asRequest = (typed: Typed) => ({
    ...typed,
    productCode: offered(known.products, typed.productCode),
    country: offered(known.countryList, typed.country),
    kind,
    lang: locale.code,
  })
  const form = useForm<Typed>({
    initialValues: {
      productCode: '',
      seats: 1,
      term: 'yearly',
      company: known.company,
      country: known.country,
      message: '',
    },
    // Not on blur: a sentence that appears under the pointer's press moves the button away from its release.
    validate: (typed) => inWords(schemaErrors(QuoteRequest, asRequest(typed))),
  })

  function inWords(codes: Readonly<Record<string, string>>) {
    return Object.fromEntries(Object.entries(codes).map(([field, code]) => [field, fieldText(code)]))
  }

  const submit = form.onSubmit(
    (typed) =>
      request.mutate(QuoteRequest.parse(asRequest(typed)), {
        onSuccess: onSent,
        onError: (problem) => {
          form.setErrors(inWords(fieldErrors(problem)))
          focusFirstInvalid(form, Object.keys(fieldErrors(problem)))
        },
      }),
    (errors) => focusFirstInvalid(form, Object.keys(errors)),
  )

  const isAboutFields = Object.keys(fieldErrors(request.error)).length > 0
  return { form, submit, refusal: isAboutFields ? null : request.error }
}
