import { useSearch } from '@tanstack/react-router'
import { usePage } from '../page-data.ts'
import { type Tab, tabNamed } from '../tabs.ts'

/** The tab that is open. */
export function useTab(): Tab {
  const { tab } = useSearch({ strict: false })
  return tabNamed(tab, usePage().settings)
}
