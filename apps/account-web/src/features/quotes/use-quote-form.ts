import type { EndpointReply } from '@atrium/contract/endpoint.ts'
import { type QuoteKind, QuoteRequest, type readQuoteForm } from '@atrium/contract/quotes.ts'
import { offered } from '@atrium/ui/choices.rules.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { usePage } from '../../page/page-data.ts'
import type { QuoteSubject } from '../../page/use-quote-dialog.ts'
import type { useRequestQuote } from './quotes.data.ts'

export interface QuoteFormProps {
  kind: QuoteKind
  about: QuoteSubject
  known: EndpointReply<typeof readQuoteForm>
  request: ReturnType<typeof useRequestQuote>
  onClose(): void
}

/** As entered: an empty text is not a number yet. */
interface Typed extends Omit<QuoteRequest, 'kind' | 'lang' | 'seats'> {
  seats: number | string
}

export function useQuoteForm({ kind, about, known, request }: QuoteFormProps) {
  const { locale } = usePage()
  const initialValues: Typed = {
    productCode: offered(known.products, about.productCode),
    seats: about.seats,
    term: 'yearly',
    company: known.company,
    country: known.country,
    message: about.number,
  }
  return useContractForm({
    initialValues,
    schema: QuoteRequest,
    toRequest: (typed) => ({
      ...typed,
      productCode: offered(known.products, typed.productCode),
      country: offered(known.countryList, typed.country),
      kind,
      lang: locale.code,
    }),
    send: request.mutateAsync,
  })
}
