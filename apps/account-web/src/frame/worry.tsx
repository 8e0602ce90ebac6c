import type { LocaleCode } from '@atrium/contract/locale.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { prefetch } from '../api/query-client.ts'
import { promptsQuery } from '../features/products/products.data.ts'
import { useSupportSessions } from '../features/security/support-sessions.data.ts'
import { loadableCode } from '../page/loadable-code.ts'
import type { Tab } from '../page/tab.ts'
import { loadTexts } from '../page/texts.ts'

const { code, loadCode } = loadableCode(async () => {
  const [{ WorryLine }] = await Promise.all([import('../features/products/worry-line.tsx'), loadTexts('products')])
  return WorryLine
})

/** What worries the customer, above each tab; support that is in the account now comes first, with a line of its own. */
export function Worry({ tab }: { tab: Tab }) {
  const { data: Line } = useQuery({ ...code, retryOnMount: false })
  const hasSupport = useSupportSessions().length > 0
  return Line && !hasSupport && <Line tab={tab.name} />
}

/** Loads it in parallel to the tab, so that it does not push the content down later. Never rejects. */
export async function preloadWorry(queryClient: QueryClient, lang: LocaleCode): Promise<void> {
  await Promise.allSettled([loadCode(), prefetch(queryClient, promptsQuery(lang))])
}
