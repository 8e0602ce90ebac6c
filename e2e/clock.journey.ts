import type { Page } from '@playwright/test'
import Stripe from 'stripe'
import { type Guest, newGuest } from './support/guests.ts'
import { at, demoSubscription, emailTo, expect, shownSubscription, signIn, test } from './support/journey.ts'
import { demo } from './support/lists.ts'
import { buyInShop, expectSubscription, payInvoice, product } from './support/shop.ts'

/** Everything that is due for everybody happens on the way. */
const longestMove = 120_000

const rowOf = (page: Page) => page.getByRole('table', { name: 'Online subscriptions' }).locator('tbody tr')

/** On the clock's page. */
async function move(page: Page, ...buttons: readonly string[]) {
  for (const name of buttons) {
    await page.goto(`${at.sandbox}/clock`)
    const before = await page.locator('strong').textContent()
    await page.getByRole('button', { name, exact: true }).click({ timeout: longestMove })
    await expect(page.locator('strong')).not.toHaveText(before ?? '', { timeout: longestMove })
    await expect(page.getByRole('alert')).toHaveText([])
  }
}

/** As another person, or the same one again. */
async function openSubscriptions(page: Page, guest: Pick<Guest, 'email' | 'password'>) {
  await page.context().clearCookies()
  await signIn(page, guest, '/account?tab=my-subscriptions')
}

function provider(): Stripe {
  const { hostname: host, port } = new URL(at.sandbox)
  return new Stripe('sk_test_sandbox', { host, port, protocol: 'http', telemetry: false })
}

/** From now on the guest's card is expired, which the provider's API cannot make. */
async function expireCard({ email }: Guest) {
  const stripe = provider()
  const [customer] = (await stripe.customers.list({ email })).data
  const { data: cards } = await stripe.customers.listPaymentMethods(customer?.id ?? '')
  for (const { id } of cards) {
    const reply = await fetch(`${at.sandbox}/cards/control/payment-methods/${id}/expiry/`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ month: 1, year: 2020 }),
    })
    expect(reply.status).toBe(200)
  }
}

test('months go by: a renewal with its invoice, a failed one that Pay Now settles, trials with and without a card, ends', async ({
  page,
  guest,
}) => {
  test.setTimeout(10 * longestMove)
  const [without, withCard] = [await newGuest(), await newGuest()]
  await buyInShop(page, guest, { button: 'Buy by card', seats: '2' })
  await payInvoice(page, '4242424242424242')
  await expect(page.getByText('Paid')).toBeVisible()
  await buyInShop(page, without, { button: 'Try it free for 14 days', seats: '1' })
  await expect(page.getByText('Your free trial has begun.')).toBeVisible()
  await buyInShop(page, withCard, { button: 'Try it free, with a test card on file', seats: '1' })
  await expect(page.getByText('Your free trial has begun.')).toBeVisible()
  await expectSubscription(page, guest, 'Active', 'Renews on')
  const before = await rowOf(page).textContent()

  await move(page, 'A month', 'A day')
  await openSubscriptions(page, guest)
  // The webhooks of the renewal may still be on their way.
  await expect(async () => {
    await page.reload()
    await expect(rowOf(page)).toContainText('Active', { timeout: 5000 })
    await expect(rowOf(page)).not.toHaveText(before ?? '', { timeout: 5000 })
  }).toPass()
  await page.goto(`${at.account}/account?tab=my-orders`)
  await expect(page.getByRole('table', { name: 'Online orders' }).locator('tbody tr')).toHaveCount(2)
  await emailTo(page, guest.email, /has been renewed/)

  await openSubscriptions(page, without)
  await expect(rowOf(page)).toContainText('Canceled')
  await openSubscriptions(page, withCard)
  await expect(rowOf(page)).toContainText('Active')
  await expect(rowOf(page)).toContainText('Renews on')

  await expireCard(guest)
  await move(page, 'A month', 'A day')
  await openSubscriptions(page, guest)
  await expect(rowOf(page)).toContainText('Payment Failed')
  await emailTo(page, guest.email, /Your payment for .* failed/)
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: /^Pay / }).click()
  const invoice = await opened
  await invoice.getByRole('combobox', { name: 'Card' }).selectOption({ label: 'Another card' })
  await payInvoice(invoice, '4242424242424242')
  await expect(invoice.getByText('Paid')).toBeVisible()

  // The page finds it by itself.
  await page.bringToFront()
  await expect(rowOf(page)).toContainText('Active')
  await expect(rowOf(page)).toContainText(product)
  await expect(page.getByRole('link', { name: /^Pay / })).toHaveCount(0)

  // Two of the demo's cast: one has canceled before, and one has paid a year in advance.
  for (const [name, bought, status] of [
    ['linus', 'linus-suite', 'Canceled'],
    ['ada', 'ada-mac', 'Expired'],
  ] as const) {
    await openSubscriptions(page, demo(name))
    const row = rowOf(page).filter({ hasText: shownSubscription(bought) })
    for (const text of [status, 'Ended on']) await expect(row).toContainText(text)
  }

  // For 30 days, a prepaid term can still be renewed: a link opens the dialog.
  await page.goto(`${at.account}/account?tab=my-subscriptions&dialog=renew&sid=${demoSubscription('ada-mac')}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Pay $238.00' }).click()
  const done = page.getByRole('dialog', { name: 'Renewed Successfully!' })
  await expect(done).toContainText('$238.00 was charged')
  await done.getByRole('button', { name: 'Close' }).last().click()
  const renewed = rowOf(page).filter({ hasText: shownSubscription('ada-mac') })
  for (const text of ['Active', 'Expires on']) await expect(renewed).toContainText(text)
})
