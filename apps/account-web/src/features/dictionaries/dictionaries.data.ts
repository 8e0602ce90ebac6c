import { dictionaryTypes, readDictionaries } from '@atrium/contract/dictionaries.ts'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** Names of codes in a language (000 §3), all types in one request, kept for as long as the page is open. */
const dictionariesQuery = (lang: LocaleCode) =>
  queryOptions({
    queryKey: ['dictionaries', lang],
    queryFn: ({ signal }) => call(readDictionaries, { query: { type: dictionaryTypes.join(','), lang } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

/** Asks for them when nothing else is going on. A failure is ignored: the screen that needs them asks again, and tells. */
export function preloadDictionaries(queryClient: QueryClient, lang: LocaleCode): void {
  const preload = () => void queryClient.prefetchQuery(dictionariesQuery(lang))
  // Safari has no idle callback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(preload, { timeout: 5000 })
  else setTimeout(preload, 2000)
}
