import type { Page } from '@playwright/test'
import type { Guest } from './guests.ts'
import { at, expect, signIn } from './journey.ts'

export const product = 'Folio PDF Editor+ Business'

interface Purchase {
  /** As the shop's button says. */
  button: string
  seats?: string
}

/** Buys in the vendor's shop, signed out, as the guest. */
export async function buyInShop(page: Page, { email }: Guest, { button, seats = '3' }: Purchase) {
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
export async function expectSubscription(page: Page, guest: Guest, ...texts: readonly string[]) {
  await signIn(page, guest, '/account?tab=my-subscriptions')
  const row = page.getByRole('table', { name: 'Online subscriptions' }).locator('tbody tr')
  await expect(async () => {
    await page.reload()
    await expect(row).toHaveCount(1, { timeout: 5000 })
    // One webhook may bring the subscription, and the next its state.
    for (const text of [product, 'Owner', ...texts]) await expect(row).toContainText(text, { timeout: 5000 })
  }).toPass()
}

/** On the card provider's page of an invoice. */
export async function payInvoice(page: Page, number: string) {
  await page.getByRole('textbox', { name: 'Number' }).fill(number)
  await page.getByRole('textbox', { name: 'Expiry' }).fill('12/34')
  await page.getByRole('textbox', { name: 'Security code' }).fill('123')
  await page.getByRole('button', { name: /^Pay / }).click()
}

/** The dialog that adds seats to the one subscription there is. @param pay how its button begins */
export async function openAddSeats(page: Page, pay = 'Pay ') {
  await page.goto(`${at.account}/account?tab=my-subscriptions`)
  const row = page.getByRole('table', { name: 'Online subscriptions' }).locator('tbody tr')
  await row.getByRole('button', { name: /^More actions/ }).click()
  await page.getByRole('menuitem', { name: 'Add seats' }).click()
  const dialog = page.getByRole('dialog', { name: `Add seats to ${product}` })
  await expect(dialog.getByRole('button', { name: new RegExp(`^${pay}`) })).toBeEnabled()
  return { dialog, row }
}
