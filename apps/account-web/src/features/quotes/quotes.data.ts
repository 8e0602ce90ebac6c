import type { LocaleCode } from '@atrium/contract/locale.ts'
import { type QuoteRequest, readQuoteForm, requestQuote } from '@atrium/contract/quotes.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'

/** The choices of the form, and what is known of the member. */
export const quoteFormQuery = (lang: LocaleCode) =>
  queryOptions({
    queryKey: ['quote-form', lang],
    queryFn: ({ signal }) => call(readQuoteForm, { query: { lang } }, { signal }),
  })

/** A retry after a lost answer makes one request and one email only. */
export function useRequestQuote(lang: LocaleCode) {
  const queryClient = useQueryClient()
  const idempotency = useIdempotencyKey()
  return useMutation({
    mutationFn: (request: QuoteRequest) => call(requestQuote, { body: request }, { key: idempotency.key }),
    onError: async (problem) => {
      if (problem instanceof CallProblem && problem.isRefusal) idempotency.renew()
      const isGone = problem instanceof CallProblem && problem.code === 'unknown_product'
      if (isGone) await queryClient.invalidateQueries(quoteFormQuery(lang))
    },
  })
}
