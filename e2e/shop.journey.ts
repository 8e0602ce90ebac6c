import type { Page } from '@playwright/test'
import type { Guest } from './support/guests.ts'
import { at, expect, expectAccessible, signIn, test } from './support/journey.ts'

const product = 'Folio PDF Editor+ Business'

interface Purchase {
  /** As the shop's button says. */
  button: string
  seats?: string
}

/** Buys in the vendor's shop, signed out, as the guest. */
async function buyInShop(page: Page, { email }: Guest, { button, seats = '3' }: Purchase) {
  await page.goto(`${at.sandbox}/site/shopping`)
  const price = page.getByRole('combobox', { name: 'Product and term' })
  const option = price
    .locator('option', { hasText: `${product}: $` })
    .filter({ hasText: 'a month' })
    .first()
  await price.selectOption((await option.getAttribute('value')) ?? '')
  await page.getByRole('spinbutton', { name: 'Seats' }).fill(seats)
  await page.getByRole('textbox', { name: 'Your name' }).fill('Gunnar Guest')
  await page.getByRole('textbox', { name: 'Your email address' }).fill(email)
  await page.getByRole('combobox', { name: 'Country' }).selectOption('DE')
  await page.getByRole('button', { name: button, exact: true }).click()
}

/** The providers' webhooks bring it: it may take a moment. */
async function expectSubscription(page: Page, guest: Guest, ...texts: readonly string[]) {
  await signIn(page, guest, '/account?tab=my-subscriptions')
  const row = page.getByRole('table', { name: 'Online subscriptions' }).locator('tbody tr')
  await expect(async () => {
    await page.reload()
    await expect(row).toHaveCount(1, { timeout: 2000 })
  }).toPass({ timeout: 20_000 })
  for (const text of [product, 'Owner', ...texts]) await expect(row).toContainText(text)
}

/** The order is completed, and its invoice can be downloaded. */
async function expectInvoice(page: Page) {
  await page.goto(`${at.account}/account?tab=my-orders`)
  const row = page.getByRole('table', { name: 'Online orders' }).locator('tbody tr')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText(product)
  const download = page.waitForEvent('download')
  await row.getByRole('button', { name: /^Download/ }).click()
  expect((await download).suggestedFilename()).toMatch(/^invoice-INV-\d+\.pdf$/)
}

test('bought with PayPal in the vendor’s shop: the subscription and its invoice are in the account', async ({
  page,
  guest,
}) => {
  await buyInShop(page, guest, { button: 'Buy with PayPal' })
  await page.locator('button[value="approve"]').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you')
  await expectAccessible(page)

  await expectSubscription(page, guest, '1 / 3', 'Annual billed monthly', 'Active', 'Renews on')
  await expectInvoice(page)
})

async function payInvoice(page: Page, number: string) {
  await page.getByRole('textbox', { name: 'Number' }).fill(number)
  await page.getByRole('textbox', { name: 'Expiry' }).fill('12/34')
  await page.getByRole('textbox', { name: 'Security code' }).fill('123')
  await page.getByRole('button', { name: /^Pay / }).click()
}

test('bought by card in the vendor’s shop: the subscription and its invoice are in the account', async ({
  page,
  guest,
}) => {
  await buyInShop(page, guest, { button: 'Buy by card', seats: '2' })
  await payInvoice(page, '4242424242424242')
  await expect(page.getByText('Paid')).toBeVisible()

  await expectSubscription(page, guest, '1 / 2', 'Annual billed monthly', 'Active', 'Renews on')
  await expectInvoice(page)
})

test('bought by card with the bank’s question: only after the answer it is in the account', async ({ page, guest }) => {
  await buyInShop(page, guest, { button: 'Buy by card' })
  await payInvoice(page, '4000002760003184')
  await page.getByRole('button', { name: 'Complete' }).click()

  await expectSubscription(page, guest, '1 / 3', 'Active', 'Renews on')
  await expectInvoice(page)
})

test('a free trial from the vendor’s shop', async ({ page, guest }) => {
  await buyInShop(page, guest, { button: 'Try it free for 14 days', seats: '1' })
  await expect(page.getByText('Your free trial has begun.')).toBeVisible()
  await expectSubscription(page, guest, 'Trial', 'Trial ends on')
})
