import type { Page } from '@playwright/test'
import { at, expect, expectAccessible, test } from './support/journey.ts'
import { buyInShop, expectSubscription, payInvoice, product } from './support/shop.ts'

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
