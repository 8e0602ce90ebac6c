import type { LocaleCode } from '@atrium/contract/locale.ts'
import { type QuoteRequest, readQuoteForm, requestQuote } from '@atrium/contract/quotes.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** What can be asked for, and what is known of who asks. */
export const quoteFormQuery = (lang: LocaleCode) =>
  queryOptions({
    queryKey: ['quote-form', lang],
    queryFn: ({ signal }) => call(readQuoteForm, { query: { lang } }, { signal }),
  })

export function useRequestQuote(lang: LocaleCode) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (request: QuoteRequest) => call(requestQuote, { body: request }),
    onError: async (problem) => {
      const isGone = problem instanceof CallProblem && problem.code === 'unknown_product'
      if (isGone) await queryClient.invalidateQueries(quoteFormQuery(lang))
    },
  })
}
