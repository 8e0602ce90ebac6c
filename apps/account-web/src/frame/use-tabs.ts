import { tabNamed } from '@atrium/contract/tabs.ts'
import { useSearch } from '@tanstack/react-router'
import { createContext, use } from 'react'
import type { Tab } from '../page/tab.ts'

/** The tabs of this vendor, from the table above the frame. */
export const TabsContext = createContext<readonly Tab[]>([])

export function useTabs(): readonly Tab[] {
  return use(TabsContext)
}

/** The open tab. */
export function useTab(): Tab {
  const { tab } = useSearch({ strict: false })
  return tabNamed(useTabs(), tab)
}
