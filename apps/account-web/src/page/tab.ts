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
  /** The search parameters besides `tab`. */
  search: Readonly<Record<string, unknown>>
}

interface TabParts {
  Icon: TablerIcon
  /** Its menu label is shorter than its title: License, not License Management (000 §2). */
  hasShortName?: true
}

/** The page's parts of a tab with a screen. */
export interface ScreenTabParts extends TabParts {
  /** Loads the screen's code. */
  load(): Promise<ComponentType>
  /** Loads the screen's first data, in parallel to its code. */
  loadData(loading: Loading): Promise<unknown>
  /** The search parameters of this tab. Invalid values are removed. */
  search: z.ZodType<Record<string, unknown>>
}

/** The page's parts of a tab that links to the support site (000 §2). */
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
