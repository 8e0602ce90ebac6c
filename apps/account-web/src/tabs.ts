import type { PageSettings } from '@atrium/contract/session.ts'
import { type AccountTab, accountTabs, allTabs } from '@atrium/contract/tabs.ts'
import {
  IconApps,
  IconCreditCard,
  IconDeviceLaptop,
  IconLicense,
  IconMapPin,
  IconMessageCircle,
  IconReceipt,
  IconRefresh,
  IconShieldLock,
  IconTicket,
  IconUser,
} from '@tabler/icons-react'
import { z } from 'zod'
import { prefetch } from './api/query-client.ts'
import { CardsSearch } from './features/cards/cards.search.ts'
import { prefetchDevices } from './features/devices/devices.data.ts'
import { DevicesSearch } from './features/devices/devices.search.ts'
import { prefetchLicenses } from './features/licenses/licenses.data.ts'
import { LicensesSearch } from './features/licenses/licenses.search.ts'
import { prefetchOrders } from './features/orders/orders.data.ts'
import { OrdersSearch } from './features/orders/orders.search.ts'
import { prefetchProducts } from './features/products/products.data.ts'
import { ProductsSearch } from './features/products/products.search.ts'
import { profileQuery } from './features/profile/profile.data.ts'
import { prefetchRoadmap } from './features/roadmap/roadmap.data.ts'
import { RoadmapSearch } from './features/roadmap/roadmap.search.ts'
import { supportAccessQuery } from './features/security/security.data.ts'
import { SecuritySearch } from './features/security/security.search.ts'
import { prefetchSubscriptions } from './features/subscriptions/subscriptions.data.ts'
import { dialogNames, SubscriptionsSearch } from './features/subscriptions/subscriptions.search.ts'
import { prefetchUsers } from './features/team/team.data.ts'
import { TeamSearch } from './features/team/team.search.ts'
import { transferDialog } from './features/transfers/transfers.search.ts'
import { addressesQuery } from './page/addresses.data.ts'
import { cardsQuery } from './page/cards.data.ts'
import { loadableScreen } from './page/loadable-screen.tsx'
import type { OutsideTabParts, ScreenTabParts, Tab } from './page/tab.ts'

const nothingElse = z.object({})

/** The page's parts of the contract's tabs. A screen's file is named after its tab, since the server preloads it by that name. */
const parts: Readonly<Record<AccountTab['name'], ScreenTabParts | OutsideTabParts>> = {
  profile: {
    Icon: IconUser,
    load: async () => (await import('./features/profile/profile-screen.tsx')).ProfileScreen,
    loadData: ({ queryClient, page }) => prefetch(queryClient, profileQuery(page.locale.code)),
    search: nothingElse,
  },
  'security-settings': {
    Icon: IconShieldLock,
    load: async () => (await import('./features/security/security-settings-screen.tsx')).SecuritySettingsScreen,
    loadData: ({ queryClient }) => prefetch(queryClient, supportAccessQuery),
    search: SecuritySearch,
  },
  'my-orders': {
    Icon: IconReceipt,
    load: async () => (await import('./features/orders/my-orders-screen.tsx')).MyOrdersScreen,
    loadData: ({ queryClient, page, search }) => prefetchOrders(queryClient, page.locale.code, search),
    search: OrdersSearch,
  },
  'my-subscriptions': {
    Icon: IconRefresh,
    load: async () => (await import('./frame/my-subscriptions-screen.tsx')).MySubscriptionsScreen,
    loadData: ({ queryClient, search }) => prefetchSubscriptions(queryClient, search),
    search: SubscriptionsSearch.extend({
      dialog: z
        .enum([...dialogNames, transferDialog])
        .optional()
        .catch(undefined),
    }),
  },
  'my-products': {
    Icon: IconApps,
    load: async () => (await import('./features/products/my-products-screen.tsx')).MyProductsScreen,
    loadData: ({ queryClient, page, search }) => prefetchProducts(queryClient, page.locale.code, search),
    search: ProductsSearch,
  },
  roadmap: {
    Icon: IconApps,
    load: async () => (await import('./features/roadmap/roadmap-screen.tsx')).RoadmapScreen,
    loadData: ({ queryClient, search }) => prefetchRoadmap(queryClient, search),
    search: RoadmapSearch,
  },
  'license-management': {
    Icon: IconLicense,
    hasShortName: true,
    load: async () => (await import('./frame/license-management-screen.tsx')).LicenseManagementScreen,
    loadData: ({ queryClient, search }) => prefetchUsers(queryClient, search) ?? prefetchLicenses(queryClient, search),
    search: LicensesSearch.extend(TeamSearch.shape),
  },
  'device-management': {
    Icon: IconDeviceLaptop,
    hasShortName: true,
    load: async () => (await import('./features/devices/device-management-screen.tsx')).DeviceManagementScreen,
    loadData: ({ queryClient, search }) => prefetchDevices(queryClient, search),
    search: DevicesSearch,
  },
  'payment-option-management': {
    Icon: IconCreditCard,
    hasShortName: true,
    load: async () =>
      (await import('./features/cards/payment-option-management-screen.tsx')).PaymentOptionManagementScreen,
    loadData: ({ queryClient }) => prefetch(queryClient, cardsQuery),
    search: CardsSearch,
  },
  'billing-address-management': {
    Icon: IconMapPin,
    hasShortName: true,
    load: async () =>
      (await import('./features/addresses/billing-address-management-screen.tsx')).BillingAddressManagementScreen,
    loadData: ({ queryClient }) => prefetch(queryClient, addressesQuery),
    search: nothingElse,
  },
  feedback: { Icon: IconMessageCircle, address: 'feedbackUrl' },
  'view-tickets': { Icon: IconTicket, address: 'ticketsUrl' },
}

const tabs: readonly Tab[] = allTabs.map(({ name, group, texts }) => {
  const own = parts[name]
  if ('address' in own) return { name, group, ...own }
  const { load, ...others } = own
  return { name, group, ...others, ...loadableScreen(texts, load) }
})

/** The tabs of this vendor. */
export function tabsOf(settings: Pick<PageSettings, 'cards'>): readonly Tab[] {
  const names = accountTabs(settings).map(({ name }) => name)
  return tabs.filter(({ name }) => names.includes(name))
}
