import type { CreditCard } from '@atrium/contract/cards.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createInstance } from 'i18next'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { expect, test } from 'vitest'
import { type MemberPage, PageContext } from '../../page/page-data.ts'
import { overdueQuery } from './overdue.data.ts'
import { OverduePayments } from './overdue-payments.tsx'

const overdue = {
  stripeSubscriptionId: 'sub_1',
  appName: 'Editor',
  payType: 'card',
  paymentMethodId: '',
  paidFrom: 'account',
  declinedCard: '',
  declineReason: 'insufficient_funds',
  nextPaymentAttempt: '2026-06-05T00:00:00Z',
  whetherHiddenPrice: 0,
  stripeSdkUrl: 'https://pay.example/',
  dueAmount: 100,
  currency: 'EUR',
}

const texts = {
  title: '{{product}} failed',
  later: 'Again on {{date}}.',
  default: 'From the default card.',
  sentence: 'Pay with {{card}}.',
  pay: 'Pay {{amount}}',
}

/** What the screen says in a language. */
async function noticesIn(code: string, subscription: object): Promise<string> {
  const i18n = createInstance()
  const problems = { card_refused_insufficient_funds: 'Not enough money.' }
  const resources = { en: { cards: { overdue: texts }, problems } }
  await i18n.use(initReactI18next).init({ lng: 'en', resources, react: { useSuspense: false } })
  const queryClient = new QueryClient()
  queryClient.setQueryData(overdueQuery.queryKey, { list: [subscription] } as never)
  const card = { id: 'pm_1', card: { brand: 'visa', last4: '4242' } } as CreditCard
  const locale = { code, prefix: '', folder: 'en', name: 'English' }
  const page = { locale, support: null } as MemberPage
  const notices = createElement(OverduePayments, { card, hasOther: false })
  const styled = createElement(MantineProvider, null, notices)
  const queried = createElement(QueryClientProvider, { client: queryClient }, styled)
  const shown = createElement(PageContext, { value: page }, queried)
  return renderToString(createElement(I18nextProvider, { i18n }, shown)).replaceAll('\u00a0', ' ')
}

test('a failed payment can be made with the default card', async () => {
  const html = await noticesIn('en-us', overdue)
  expect(html).toContain('Editor failed')
  expect(html).toContain('<button')
})

test('in Russian, where nothing is paid, it says why it failed and that it is tried again', async () => {
  const html = await noticesIn('ru-ru', { ...overdue, stripeSdkUrl: '' })
  expect(html).toContain('Editor failed')
  expect(html).toMatch(/Not enough money\..*Again on .*2026.*From the default card\./)
  expect(html).not.toContain('<button')
})

test('a card of its own is not called the default, and a partner’s payment is not explained', async () => {
  expect(await noticesIn('ru-ru', { ...overdue, paymentMethodId: 'pm_2' })).not.toContain('default')
  expect(await noticesIn('ru-ru', { ...overdue, whetherHiddenPrice: 1 })).not.toContain('failed')
})
