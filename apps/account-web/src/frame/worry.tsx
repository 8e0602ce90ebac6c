import type { LocaleCode } from '@atrium/contract/locale.ts'
import { type QueryClient, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { prefetch } from '../api/query-client.ts'
import { promptsQuery } from '../features/products/products.data.ts'
import { mayWorry } from '../features/products/worries.rules.ts'
import { useSupportSessions } from '../features/security/support-sessions.data.ts'
import { loadableCode } from '../page/loadable-code.ts'
import { usePage } from '../page/page-data.ts'
import type { Tab } from '../page/tab.ts'
import { loadTexts } from '../page/texts.ts'

const { code, loadCode } = loadableCode(async () => {
  const [{ WorryLine }] = await Promise.all([import('../features/products/worry-line.tsx'), loadTexts('products')])
  return WorryLine
})

/**
 * What worries the customer, above the content of each tab; support that is in the account now comes first, with a line of its own. Suspends, so that it
 * is drawn together with the tab: later it would push down what is about to be pressed.
 */
export function Worry({ tab: { name } }: { tab: Tab }) {
  const { locale } = usePage()
  useSuspenseQuery(preloadedWorry(locale.code, name))
  // Each tab has a line of its own, but what it says is not loaded again for each.
  const { data: prompts } = useQuery({ ...promptsQuery(locale.code), refetchOnMount: false })
  const isNeeded = prompts !== undefined && mayWorry(prompts, name)
  const { data: Line } = useQuery({ ...code, enabled: isNeeded })
  const hasSupport = useSupportSessions().length > 0
  return Line && isNeeded && !hasSupport && <Line tab={name} prompts={prompts} />
}

interface Preload {
  queryClient: QueryClient
  lang: LocaleCode
  tab: Tab['name']
}

/** Loads it in parallel to the tab. Never rejects. */
export function preloadWorry({ queryClient, lang, tab }: Preload): Promise<void> {
  return prefetch(queryClient, preloadedWorry(lang, tab))
}

/** A tab waits this long for it, and is then shown without. */
const waitedMs = 1000

const preloadedWorry = (lang: LocaleCode, tab: Tab['name']) =>
  queryOptions({
    queryKey: ['worry', lang, tab],
    async queryFn({ client: queryClient }) {
      await Promise.race([load({ queryClient, lang, tab }), new Promise((resolve) => setTimeout(resolve, waitedMs))])
      return true
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

async function load({ queryClient, lang, tab }: Preload) {
  const query = promptsQuery(lang)
  if (!queryClient.getQueryData(query.queryKey)) await prefetch(queryClient, query)
  const prompts = queryClient.getQueryData(query.queryKey)
  if (prompts && mayWorry(prompts, tab)) await loadCode().catch(() => undefined)
}
