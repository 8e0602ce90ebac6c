import { tabNamed } from '@atrium/contract/tabs.ts'
import type { QueryClient } from '@tanstack/react-query'
import { addressSearch, readSearch } from '../page/address-search.ts'
import type { MemberPage } from '../page/page-data.ts'
import type { Tab } from '../page/tab.ts'
import { preloadWorry } from './worry.tsx'

interface Preload {
  tabs: readonly Tab[]
  queryClient: QueryClient
  page: MemberPage
  /** The search part of the address to preload. */
  search: string
}

/** Loads a tab's code, texts and data, and what stands above it. Failures are retried and reported when the tab is shown. Never rejects. */
export async function preloadTab({ tabs, queryClient, page, search }: Preload): Promise<void> {
  const wanted = addressSearch(readSearch(search), tabs)
  const tab = tabNamed(tabs, wanted.tab)
  if (!('Screen' in tab)) return
  await Promise.allSettled([
    tab.loadScreen(),
    tab.loadData({ queryClient, page, search: wanted }),
    preloadWorry({ queryClient, lang: page.locale.code, tab: tab.name }),
  ])
}
