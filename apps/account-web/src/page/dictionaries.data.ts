import { type DictionaryType, dictionaryTypes, readDictionaries } from '@atrium/contract/dictionaries.ts'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { usePage } from './page-data.ts'

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

export interface Dictionary {
  /** In the vendor's order; absent while they load, or when they could not be loaded. */
  entries: readonly { code: string; name: string }[] | undefined
  /** What a code is called; a code that the vendor did not name is its own name. */
  nameOf(code: string): string | undefined
  problem: Error | null
  retry(): void
  isRetrying: boolean
}

/** The names of one type in the page's language. Tell of a failure with `DictionaryFailure`. */
export function useDictionary(type: DictionaryType): Dictionary {
  const { locale } = usePage()
  const { data, error, refetch, isFetching } = useQuery(dictionariesQuery(locale.code))
  const entries = data && (data[type] ?? [])

  return {
    entries,
    nameOf: (code) => entries && (entries.find((entry) => entry.code === code)?.name ?? code),
    problem: error,
    retry: () => void refetch(),
    isRetrying: isFetching,
  }
}
