import { type DictionaryType, dictionaryTypes, readDictionaries } from '@atrium/contract/dictionaries.ts'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { usePage } from './page-data.ts'

/** Names of codes in a language (000 §3), all types in one request, cached while the page is open. */
const dictionariesQuery = (lang: LocaleCode) =>
  queryOptions({
    queryKey: ['dictionaries', lang],
    queryFn: ({ signal }) => call(readDictionaries, { query: { type: dictionaryTypes.join(','), lang } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

/** Preloads them when the browser is idle. Ignores failures: the screen that needs them tries again and shows them. */
export function preloadDictionaries(queryClient: QueryClient, lang: LocaleCode): void {
  const preload = () => void queryClient.prefetchQuery(dictionariesQuery(lang))
  // Safari has no idle callback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(preload, { timeout: 5000 })
  else setTimeout(preload, 2000)
}

export interface Dictionary {
  /** In the vendor's order; undefined while loading or after a failure. */
  entries: readonly { code: string; name: string }[] | undefined
  /** The name of a code, or the code itself if the vendor has not named it. */
  nameOf(code: string): string | undefined
  problem: Error | null
  retry(): void
  isRetrying: boolean
}

/** The names of one type in the page's language. Show failures with `DictionaryFailure`. */
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
