import type { PageSettings } from '@atrium/contract/session.ts'
import type { AccountTab } from '@atrium/contract/tabs.ts'
import type { TablerIcon } from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { z } from 'zod'
import type { MemberPage } from './page-data.ts'

interface Loading {
  queryClient: QueryClient
  page: MemberPage
  /** What stands in the address beside `tab`. */
  search: Readonly<Record<string, unknown>>
}

interface TabParts {
  Icon: TablerIcon
  /** The menu calls it by a shorter name than its page: License, not License Management (000 §2). */
  hasShortName?: true
}

/** What this page adds to a tab with a screen of its own. */
export interface ScreenTabParts extends TabParts {
  /** Loads the screen's code. */
  load(): Promise<ComponentType>
  /** Asks for the screen's first data, so that it loads beside the code, not after it. */
  loadData(loading: Loading): Promise<unknown>
  /** What else may stand in the address while this tab is open. Wrong values fall away. */
  search: z.ZodType<Record<string, unknown>>
}

/** What this page adds to a tab that leads to the support site (000 §2). */
export interface OutsideTabParts extends TabParts {
  address: keyof Pick<PageSettings, 'feedbackUrl' | 'ticketsUrl'>
}

type Entry = Pick<AccountTab, 'name' | 'group'>

interface ScreenTab extends Entry, Omit<ScreenTabParts, 'load'> {
  Screen: ComponentType
  /** Loads the screen's code and texts. */
  loadScreen(): Promise<unknown>
}

export type Tab = ScreenTab | (Entry & OutsideTabParts)
