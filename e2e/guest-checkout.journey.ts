import type { Page } from '@playwright/test'
import { cardFrame, typeCard } from './support/card-fields.ts'
import { buyAsGuest, mastercard } from './support/cards.ts'
import type { Guest } from './support/guests.ts'
import { expect, expectAccessibleInBoth, signIn, test } from './support/journey.ts'

const mine = '/account?tab=my-subscriptions'
const rows = 'table[aria-label="Online subscriptions"] tbody tr'

/** Signs in, and waits for what was bought at the provider. */
async function bought(page: Page, guest: Guest) {
  await signIn(page, guest, mine)
  await expect(async () => {
    await page.reload()
    await expect(page.locator(rows)).toHaveCount(1, { timeout: 5000 })
  }).toPass()
  return page.locator(rows)
}

test('what a guest has paid with the member’s address is paid by another card in place', async ({ page, guest }) => {
  await buyAsGuest(guest.email, 'fpepb-monthly-usd')
  const row = await bought(page, guest)
  await expect(row).toContainText('Paid with Visa ••••\u00a04242, entered at checkout.')

  await row.getByRole('button', { name: 'Pay with another method' }).click()
  const dialog = page.getByRole('dialog', { name: /^Pay for .* with another card$/ })
  await expect(dialog).toContainText('This card pays for the renewals from now on.')
  await expectAccessibleInBoth(page)
  await typeCard(page, mastercard)
  await cardFrame(page).getByLabel('ZIP code').fill('94104')
  await dialog.getByRole('button', { name: 'Add Card' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(row).toContainText('Paid with Mastercard ••••\u00a04444.')
})

test('what a guest has paid with the member’s address is somebody else’s: it leaves the account with its orders', async ({
  page,
  guest,
}) => {
  await buyAsGuest(guest.email, 'fpepb-monthly-usd')
  const row = await bought(page, guest)
  await row.getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'This isn’t mine' }).click()
  const declining = page.getByRole('dialog', { name: /somebody else’s\?$/ })
  await expect(declining).toContainText('Nothing is canceled or refunded: the seller is told.')
  await expectAccessibleInBoth(page)
  await declining.getByRole('button', { name: 'It isn’t mine' }).click()
  await expect(declining).toHaveCount(0)
  await expect(page.locator(rows)).toHaveCount(0)
  await page.getByRole('link', { name: 'My Orders' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Orders')
  await expect(page.getByRole('main').getByRole('table')).toHaveCount(0)
})
