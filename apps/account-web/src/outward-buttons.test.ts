import type { OnlineOrder } from '@atrium/contract/orders.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createInstance } from 'i18next'
import { createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { afterAll, expect, test, vi } from 'vitest'
import { NoLicenses } from './features/licenses/no-licenses.tsx'
import { NoOnlineOrders } from './features/orders/no-orders.tsx'
import { PayLink } from './features/orders/pay-link.tsx'
import { BuyButton } from './features/products/no-product.tsx'
import { ProductButton } from './features/products/product-button.tsx'
import { DueOrders } from './features/subscriptions/due-orders.tsx'
import { ManageButton } from './features/subscriptions/manage-button.tsx'
import { NoOnlineSubscriptions } from './features/subscriptions/no-subscriptions.tsx'
import { PayButton } from './features/subscriptions/pay-button.tsx'
import { ActionRoot } from './page/action-root.tsx'
import { type MemberPage, PageContext } from './page/page-data.ts'

const origin = 'https://account.example'
vi.stubGlobal('location', { origin })
afterAll(() => vi.unstubAllGlobals())

const elsewhere = 'https://elsewhere.example/'

/** The component as the page first shows it, to the member or to a support agent. */
async function htmlFor(support: MemberPage['support'], element: ReactElement): Promise<string> {
  const i18n = createInstance()
  const resources = { en: { problems: {}, orders: {}, products: {}, subscriptions: {} } }
  await i18n.use(initReactI18next).init({ lng: 'en', resources, react: { useSuspense: false } })
  const locale = { code: 'en-us', prefix: '', folder: 'en', name: 'English' }
  const page = { locale, settings: { siteUrl: 'https://elsewhere.example' }, support } as MemberPage
  const routeTree = createRootRoute({ component: () => element })
  const router = createRouter({
    routeTree,
    history: createMemoryHistory(),
    isServer: true,
    origin,
  })
  await router.load()
  const routed = createElement(PageContext, { value: page }, createElement(RouterProvider, { router }))
  const queried = createElement(QueryClientProvider, { client: new QueryClient() }, routed)
  const styled = createElement(MantineProvider, null, queried)
  return renderToString(createElement(I18nextProvider, { i18n }, styled))
}

const agent = { agentName: 'Sam Okoye', endsAt: 2_000_000_000 }
const nothing = () => undefined

const subscription = (values: Partial<Subscription>) =>
  ({
    stripeSubscriptionId: 'sub_1',
    appName: 'Editor',
    payType: 'card',
    needsConfirmation: 0,
    ...values,
  }) as Subscription
const managed = (values: Partial<Subscription>) =>
  createElement(ManageButton, { subscription: subscription(values), name: 'Editor' })
const due = subscription({ stripeSdkUrl: elsewhere, dueAmount: 100, currency: 'EUR' })
const dueOrder = { orderNumber: 'F-1', name: 'Editor', date: '2026-06-01', amount: 100, payUrl: elsewhere }
const outwardAction = { key: 'purchase', label: 'Purchase', href: elsewhere }
const buyButton = createElement(BuyButton)
const noLicenses = createElement(NoLicenses)
const noSubscriptions = createElement(NoOnlineSubscriptions)
const noOrders = createElement(NoOnlineOrders)
const product = { showButtonType: 'purchase', stripeSubscriptionId: 'sub_1', trial: undefined } as const
const productButton = (showButtonUrl: string) =>
  createElement(ProductButton, { product: { ...product, showButtonUrl }, name: 'Editor' })

const buttons: [name: string, element: ReactElement, forAgent: 'disabled' | 'absent'][] = [
  ['Manage at an address', managed({ manageBy: 'address', manageUrl: elsewhere }), 'disabled'],
  ['Manage at an address that is withheld', managed({ manageBy: 'address', manageUrl: '' }), 'disabled'],
  ['Manage in a portal', managed({ manageBy: 'portal', manageUrl: '' }), 'disabled'],
  ['Manage in the storage', managed({ manageBy: 'storage', manageUrl: '' }), 'disabled'],
  ['a product’s shop', productButton(elsewhere), 'disabled'],
  ['a product’s shop that is withheld', productButton(''), 'disabled'],
  ['Buy Now', buyButton, 'disabled'],
  ['an action of an object', createElement(ActionRoot, { action: outwardAction }), 'disabled'],
  ['the shop, without orders', noOrders, 'disabled'],
  ['the shop, without subscriptions', noSubscriptions, 'disabled'],
  ['the shop, without licenses', noLicenses, 'disabled'],
  ['Pay', createElement(PayButton, { subscription: due, isWatching: false, onPay: nothing }), 'absent'],
  [
    'Pay for each invoice',
    createElement(DueOrders, {
      orders: [dueOrder],
      currency: 'EUR',
      isPayable: true,
      isWatching: false,
      onPay: nothing,
    }),
    'absent',
  ],
  [
    'Pay an order',
    createElement(PayLink, { order: { payUrl: elsewhere, orderNumber: 'F-1' } as OnlineOrder, onPay: nothing }),
    'absent',
  ],
]

/** Without what leads to a place of this page. */
const outward = (html: string) => html.match(/<(a|button) [^>]*>/g)?.filter((tag) => !tag.includes('href="/')) ?? []

test.each(buttons)('%s: a support agent cannot leave the account by it', async (_name, element, forAgent) => {
  const html = await htmlFor(agent, element)
  expect(html).not.toContain(elsewhere)
  const tags = outward(html)
  expect(tags).toHaveLength(forAgent === 'absent' ? 0 : 1)
  for (const tag of tags) expect(tag).toContain('aria-disabled="true"')
})

test.each(buttons.filter(([name]) => !name.endsWith('withheld')))('%s: the member can', async (_name, element) => {
  const [tag, ...more] = outward(await htmlFor(null, element))
  expect(more).toEqual([])
  expect(tag).toMatch(/^<a .*https:\/\/elsewhere.example|^<button /)
  expect(tag).not.toContain('disabled')
})
