import type { PageSettings } from './session.ts'

/** Groups of the side menu, in order. A group without a heading is a single entry. */
export const tabGroups = [
  { name: 'account', hasHeading: true },
  { name: 'orders', hasHeading: false },
  { name: 'plans-products', hasHeading: true },
  { name: 'management', hasHeading: true },
  { name: 'support', hasHeading: true },
] as const

interface TabEntry {
  /** In the address, the key of the label, and the name of the screen's file: `my-orders-screen.tsx`. */
  name: string
  group: (typeof tabGroups)[number]['name']
  /** Nouns whose texts the screen uses, in the order of the files in `packages/locales`; empty if the tab links elsewhere. */
  texts: readonly string[]
}

/** The tabs of the account page, in menu order. The page derives its screens from it, and the server what to preload. */
export const allTabs = [
  { name: 'profile', group: 'account', texts: ['profile'] },
  { name: 'security-settings', group: 'account', texts: ['security', 'activity'] },
  { name: 'my-orders', group: 'orders', texts: ['orders'] },
  { name: 'my-subscriptions', group: 'plans-products', texts: ['subscriptions', 'roles'] },
  { name: 'my-products', group: 'plans-products', texts: ['products', 'subscriptions'] },
  { name: 'roadmap', group: 'plans-products', texts: ['roadmap'] },
  { name: 'license-management', group: 'management', texts: ['licenses', 'roles', 'team'] },
  { name: 'device-management', group: 'management', texts: ['devices'] },
  { name: 'payment-option-management', group: 'management', texts: ['cards'] },
  { name: 'billing-address-management', group: 'management', texts: ['addresses'] },
  { name: 'feedback', group: 'support', texts: [] },
  { name: 'view-tickets', group: 'support', texts: [] },
] as const satisfies readonly TabEntry[]

export type AccountTab = (typeof allTabs)[number]

/** Whether a tab's content is a grid of cards, and not rows: its skeleton is one, too. */
export function hasGrid({ name }: Pick<AccountTab, 'name'>): boolean {
  return name === 'my-products' || name === 'payment-option-management' || name === 'billing-address-management'
}

/** The menu's entry that is current while a tab is open; the roadmap has none of its own (001 §2). */
export function menuEntryOf({ name }: Pick<AccountTab, 'name'>): AccountTab['name'] {
  return name === 'roadmap' ? 'my-products' : name
}

/** The tabs of a vendor: without a card provider there is none for cards. */
export function accountTabs({ cards }: Pick<PageSettings, 'cards'>): readonly AccountTab[] {
  return allTabs.filter(({ name }) => name !== 'payment-option-management' || cards !== null)
}

/** The tab for an address, in any spelling of names and groups; if unknown, the first (000 §2). */
export function tabNamed<Tab extends Pick<TabEntry, 'name' | 'group'>>(tabs: readonly Tab[], wanted: unknown): Tab {
  const spelling = plain(String(wanted ?? ''))
  const named = tabs.find(({ name }) => plain(name) === spelling)
  return named ?? tabs.find(({ group }) => plain(group) === spelling) ?? first(tabs)
}

/** `License%20Management`, `license_management` and `LICENSE-MANAGEMENT` are the same name, as are `Plans & Products` and its group. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_&-]/g, '')
}

function first<Tab>([tab]: readonly Tab[]): Tab {
  if (!tab) throw new Error('There are no tabs.')
  return tab
}
