import { QuoteKind } from '@atrium/contract/quotes.ts'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { z } from 'zod'

/** Dialogs that every tab can open are in the address, so that Back, reload and shared links find them. */
export const DialogSearch = z.object({ quote: QuoteKind.optional().catch(undefined) })

/** The quote dialog (000 §2.6): its kind in the address, and how to open and close it. */
export function useQuoteDialog() {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { history } = useRouter()
  const { quote } = DialogSearch.parse(search)
  const isLeaving = useRef(false)

  // Going back takes a moment; a second click meanwhile would go back further.
  useEffect(() => {
    isLeaving.current = quote === undefined
  }, [quote])

  function show(quote: QuoteKind | undefined, isClosing = false) {
    void navigate({ to: '/account', search: { ...search, quote }, replace: isClosing, resetScroll: false })
  }

  /** Goes back to where it was opened; a shared link has no previous page. */
  function close() {
    if (isLeaving.current) return
    isLeaving.current = true
    if (history.canGoBack()) history.back()
    else show(undefined, true)
  }

  return { kind: quote, open: (kind: QuoteKind) => show(kind), close }
}
