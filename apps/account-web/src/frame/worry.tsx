import type { LocaleCode } from '@atrium/contract/locale.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
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

/** What worries the customer, above each tab; support that is in the account now comes first, with a line of its own. */
export function Worry({ tab: { name } }: { tab: Tab }) {
  const { locale } = usePage()
  const { data: prompts } = useQuery(promptsQuery(locale.code))
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

/** Loads it in parallel to the tab, so that it does not push the content down later. Never rejects. */
export async function preloadWorry({ queryClient, lang, tab }: Preload): Promise<void> {
  const query = promptsQuery(lang)
  await prefetch(queryClient, query)
  const prompts = queryClient.getQueryData(query.queryKey)
  if (prompts && mayWorry(prompts, tab)) await loadCode().catch(() => undefined)
}
