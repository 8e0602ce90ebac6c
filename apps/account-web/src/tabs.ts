import type { PageSettings } from '@atrium/contract/session.ts'
import {
  IconCreditCard,
  IconDeviceLaptop,
  IconLicense,
  IconMapPin,
  IconMessageCircle,
  IconReceipt,
  IconShieldLock,
  IconTicket,
  IconUser,
  type TablerIcon,
} from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { z } from 'zod'
import { prefetch } from './api/query-client.ts'
import { addressesQuery } from './features/addresses/addresses.data.ts'
import { cardsQuery } from './features/cards/cards.data.ts'
import { prefetchDevices } from './features/devices/devices.data.ts'
import { DevicesSearch } from './features/devices/devices.search.ts'
import { prefetchLicenses } from './features/licenses/licenses.data.ts'
import { LicensesSearch } from './features/licenses/licenses.search.ts'
import { prefetchOrders } from './features/orders/orders.data.ts'
import { OrdersSearch } from './features/orders/orders.search.ts'
import { profileQuery } from './features/profile/profile.data.ts'
import { supportAccessQuery } from './features/security/support-access.data.ts'
import { subscriptionUsersQuery } from './features/team/team.data.ts'
import { TeamSearch } from './features/team/team.search.ts'
import type { MemberPage } from './page-data.ts'
import { loadableScreen } from './shell/loadable-screen.tsx'

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
  /** Loads the screen's code. */
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

const nothingElse = z.object({})

/** The one table of tabs, in the order of the menu. */
const allTabs: readonly Tab[] = [
  {
    name: 'profile',
    group: 'account',
    Icon: IconUser,
    ...loadableScreen(['profile'], () =>
      import('./features/profile/profile-screen.tsx').then((module) => module.ProfileScreen),
    ),
    loadData: ({ queryClient, page }) => prefetch(queryClient, profileQuery(page.locale.code)),
    search: nothingElse,
  },
  {
    name: 'security-settings',
    group: 'account',
    Icon: IconShieldLock,
    ...loadableScreen(['security'], () =>
      import('./features/security/security-settings-screen.tsx').then((module) => module.SecuritySettingsScreen),
    ),
    loadData: ({ queryClient }) => prefetch(queryClient, supportAccessQuery),
    search: nothingElse,
  },
  {
    name: 'my-orders',
    group: 'orders',
    Icon: IconReceipt,
    ...loadableScreen(['orders'], () =>
      import('./features/orders/my-orders-screen.tsx').then((module) => module.MyOrdersScreen),
    ),
    loadData: ({ queryClient, search }) => prefetchOrders(queryClient, search),
    search: OrdersSearch,
  },
  {
    name: 'license-management',
    group: 'management',
    Icon: IconLicense,
    hasShortName: true,
    ...loadableScreen(['licenses', 'team'], () =>
      import('./license-management-screen.tsx').then((module) => module.LicenseManagement),
    ),
    loadData: ({ queryClient, search }) => {
      const { subId, page = 1 } = TeamSearch.parse(search)
      return subId ? prefetch(queryClient, subscriptionUsersQuery(subId, page)) : prefetchLicenses(queryClient, search)
    },
    search: LicensesSearch.extend(TeamSearch.shape),
  },
  {
    name: 'device-management',
    group: 'management',
    Icon: IconDeviceLaptop,
    hasShortName: true,
    ...loadableScreen(['devices'], () =>
      import('./features/devices/device-management-screen.tsx').then((module) => module.DeviceManagementScreen),
    ),
    loadData: ({ queryClient, search }) => prefetchDevices(queryClient, search),
    search: DevicesSearch,
  },
  {
    name: 'payment-option-management',
    group: 'management',
    Icon: IconCreditCard,
    hasShortName: true,
    isOffered: ({ cards }) => cards !== null,
    ...loadableScreen(['cards'], () =>
      import('./features/cards/cards-screen.tsx').then((module) => module.CardsScreen),
    ),
    loadData: ({ queryClient }) => prefetch(queryClient, cardsQuery),
    search: nothingElse,
  },
  {
    name: 'billing-address-management',
    group: 'management',
    Icon: IconMapPin,
    hasShortName: true,
    ...loadableScreen(['addresses'], () =>
      import('./features/addresses/addresses-screen.tsx').then((module) => module.AddressesScreen),
    ),
    loadData: ({ queryClient }) => prefetch(queryClient, addressesQuery),
    search: nothingElse,
  },
  { name: 'feedback', group: 'support', Icon: IconMessageCircle, address: 'feedbackUrl' },
  { name: 'view-tickets', group: 'support', Icon: IconTicket, address: 'ticketsUrl' },
]

/** The tabs that this vendor has. */
export function tabsOf(settings: Offer): readonly Tab[] {
  return allTabs.filter(({ isOffered }) => isOffered?.(settings) ?? true)
}

/** The tab that an address means: names and groups in any spelling; an unknown one is the profile (000 §2). */
export function tabNamed(wanted: unknown, settings: Offer): Tab {
  const tabs = tabsOf(settings)
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
