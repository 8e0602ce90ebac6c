import { QuoteKind } from '@atrium/contract/quotes.ts'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { z } from 'zod'

/** Dialogs that every tab can open are in the address, so that Back, reload and shared links find them. */
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

/** The quote dialog (000 §2.6): its kind in the address, and how to open and close it. */
export function useQuoteDialog() {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { history } = useRouter()
  const {
    quote,
    quoteProduct: productCode = '',
    quoteSeats: seats = 1,
    quoteOf: number = '',
  } = DialogSearch.parse(search)
  const isLeaving = useRef(false)

  // Going back takes a moment; a second click meanwhile would go back further.
  useEffect(() => {
    isLeaving.current = quote === undefined
  }, [quote])

  function show(quote: QuoteKind | undefined, about?: QuoteSubject) {
    const subject = { quoteProduct: about?.productCode, quoteSeats: about?.seats, quoteOf: about?.number }
    const isClosing = quote === undefined
    void navigate({ to: '/account', search: { ...search, quote, ...subject }, replace: isClosing, resetScroll: false })
  }

  /** Goes back to where it was opened; a shared link has no previous page. */
  function close() {
    if (isLeaving.current) return
    isLeaving.current = true
    if (history.canGoBack()) history.back()
    else show(undefined)
  }

  return { kind: quote, about: { productCode, seats, number }, open: show, close }
}
