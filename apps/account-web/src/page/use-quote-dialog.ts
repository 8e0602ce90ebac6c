import { QuoteKind } from '@atrium/contract/quotes.ts'
import { useSearch } from '@tanstack/react-router'
import { z } from 'zod'
import { useAddressDialog } from './use-address-dialog.ts'

/** The search parameters of the quote dialog, beside those of any tab. */
export const DialogSearch = z.object({
  quote: QuoteKind.optional().catch(undefined),
  /** What the quote is about: code of a product, seats, and the number of a subscription. */
  quoteProduct: z.string().max(50).optional().catch(undefined),
  quoteSeats: z.coerce.number().int().positive().optional().catch(undefined),
  quoteOf: z.string().max(100).optional().catch(undefined),
})

/** What the form is filled in with. */
export interface QuoteSubject {
  productCode: string
  seats: number
  /** The subscription's number. */
  number: string
}

const closed = { quote: undefined, quoteProduct: undefined, quoteSeats: undefined, quoteOf: undefined }

/** The search parameters with which the quote dialog is open. */
export function quoteSearch(quote: QuoteKind, about?: QuoteSubject): z.output<typeof DialogSearch> {
  return { quote, quoteProduct: about?.productCode, quoteSeats: about?.seats, quoteOf: about?.number }
}

/** The quote dialog (000 §2.6): its kind in the address, and how to open and close it. */
export function useQuoteDialog() {
  const search = DialogSearch.parse(useSearch({ strict: false }))
  const { quote: kind, quoteProduct: productCode = '', quoteSeats: seats = 1, quoteOf: number = '' } = search
  const { open, close } = useAddressDialog<z.output<typeof DialogSearch>>(kind !== undefined, closed)

  return {
    kind,
    about: { productCode, seats, number },
    open: (quote: QuoteKind, about?: QuoteSubject) => open(quoteSearch(quote, about)),
    close,
  }
}
