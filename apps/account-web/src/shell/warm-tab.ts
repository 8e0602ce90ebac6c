import type { QueryClient } from '@tanstack/react-query'
import { addressSearch, readSearch } from '../address-search.ts'
import type { MemberPage } from '../page-data.ts'
import { tabNamed } from '../tabs.ts'

interface Warming {
  queryClient: QueryClient
  page: MemberPage
  /** Of the address that is, or is about to be, open. */
  search: string
}

/** Starts to load a tab's code and data. Whatever fails now is asked for again, and told, when the tab is shown. Never rejects. */
export async function warmTab({ queryClient, page, search }: Warming): Promise<void> {
  const wanted = addressSearch(readSearch(search), page.settings)
  const tab = tabNamed(wanted.tab, page.settings)
  if (!('Screen' in tab)) return
  await Promise.allSettled([tab.loadScreen(), tab.loadData({ queryClient, page, search: wanted })])
}
