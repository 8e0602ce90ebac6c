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
} from '@tabler/icons-react'
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
import { supportAccessQuery } from './features/security/security.data.ts'
import { subscriptionUsersQuery } from './features/team/team.data.ts'
import { TeamSearch } from './features/team/team.search.ts'
import { loadableScreen } from './page/loadable-screen.tsx'
import type { Offer, Tab } from './page/tab.ts'

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
      import('./frame/license-management-screen.tsx').then((module) => module.LicenseManagementScreen),
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
