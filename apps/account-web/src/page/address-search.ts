import { tabNamed } from '@atrium/contract/tabs.ts'
import type { Tab } from './tab.ts'
import { DialogSearch } from './use-quote-dialog.ts'

/** The search parameters of the account page: the canonical tab, the tab's own, and a dialog. */
export type AddressSearch = { tab: string } & Readonly<Record<string, unknown>>

export function addressSearch(raw: Readonly<Record<string, unknown>>, tabs: readonly Tab[]): AddressSearch {
  const tab = tabNamed(tabs, raw.tab)
  // `defaultTab=offline` opens the offline list of a tab that has one (000 §2, 001 §2).
  const named = raw.defaultTab === 'offline' ? { list: 'offline', ...raw } : raw
  const known = 'search' in tab ? tab.search.parse(named) : {}
  return { ...known, ...DialogSearch.parse(raw), tab: tab.name }
}

/** `?tab=my-orders&page=2`: plain values without quotes. */
export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const { tab, ...others } = search
  const entries = Object.entries({ tab, ...others }).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  )
  const text = new URLSearchParams(entries).toString()
  return text === '' ? '' : `?${text}`
}

export function readSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}
