import type { PageSettings } from '@atrium/contract/session.ts'
import type { TablerIcon } from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { z } from 'zod'
import type { MemberPage } from './page-data.ts'

/** Groups of the side menu, in their order. One without a heading is a single entry. */
export const groups = [
  { name: 'account', hasHeading: true },
  { name: 'orders', hasHeading: false },
  { name: 'plans-products', hasHeading: true },
  { name: 'management', hasHeading: true },
  { name: 'support', hasHeading: true },
] as const

interface Loading {
  queryClient: QueryClient
  page: MemberPage
  /** What stands in the address beside `tab`. */
  search: Readonly<Record<string, unknown>>
}

interface TabBase {
  /** Stands in the address, and is the key of the label. */
  name: string
  group: (typeof groups)[number]['name']
  Icon: TablerIcon
  /** The menu calls it by a shorter name than its page: License, not License Management (000 §2). */
  hasShortName?: true
  /** Whether this vendor has it; without, it is there for everybody. */
  isOffered?(settings: Offer): boolean
}

/** What tabs depend on. */
export type Offer = Pick<PageSettings, 'cards'>

/** A tab with a screen of its own. */
interface ScreenTab extends TabBase {
  Screen: ComponentType
  /** Loads the screen's code and texts. */
  loadScreen(): Promise<unknown>
  /** Asks for the screen's first data, so that it loads beside the code, not after it. */
  loadData(loading: Loading): Promise<unknown>
  /** What else may stand in the address while this tab is open. Wrong values fall away. */
  search: z.ZodType<Record<string, unknown>>
}

/** A tab that leads to the support site (000 §2). */
interface OutsideTab extends TabBase {
  address: keyof Pick<PageSettings, 'feedbackUrl' | 'ticketsUrl'>
}

export type Tab = ScreenTab | OutsideTab

/** The tab that an address means: names and groups in any spelling; an unknown one is the first (000 §2). */
export function tabNamed(tabs: readonly Tab[], wanted: unknown): Tab {
  const spelling = plain(String(wanted ?? ''))
  const named = tabs.find(({ name }) => plain(name) === spelling)
  return named ?? tabs.find(({ group }) => plain(group) === spelling) ?? first(tabs)
}

/** `License%20Management`, `license_management` and `LICENSE-MANAGEMENT` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '')
}

function first([tab]: readonly Tab[]): Tab {
  if (!tab) throw new Error('There are no tabs.')
  return tab
}
