import type { Page } from '@playwright/test'
import { at, expect, expectAccessible, expectEntriesOf, goBack, goForward, signIn, test } from './support/journey.ts'

const profile = (page: Page) => page.getByRole('dialog', { name: 'Edit Profile' })
const question = (page: Page) => page.getByRole('dialog', { name: 'Discard what you entered?' })
const quote = (page: Page) => page.getByRole('dialog', { name: 'Get a Quote' })

test.use({ viewport: { width: 390, height: 844 } })

async function openProfile(page: Page) {
  await page.getByRole('button', { name: 'Edit' }).first().click()
  await expect(profile(page)).toBeVisible()
}

test('Back closes a dialog, leaves no entry behind, and asks once before it discards what was entered', async ({
  page,
  guest,
}) => {
  await signIn(page, guest, '/account?tab=security-settings')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Profile' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Profile')

  await openProfile(page)
  await goBack(page, 1)
  await expect(profile(page)).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Profile')

  await openProfile(page)
  await profile(page).getByLabel('Company').fill('Typed Ltd.')
  await goBack(page, 1)
  await expect(question(page)).toBeVisible()
  await expectAccessible(page)
  await question(page).getByRole('button', { name: 'Keep editing' }).click()
  await expect(question(page)).toBeHidden()
  await expect(profile(page).getByLabel('Company')).toHaveValue('Typed Ltd.')
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeVisible()
  // To leave the question is to go on editing.
  await goBack(page, 1)
  await expect(question(page)).toBeHidden()
  await expect(profile(page).getByLabel('Company')).toHaveValue('Typed Ltd.')
  await profile(page).getByRole('button', { name: 'Close' }).click()
  await question(page).getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // What was closed in any way is not in the way of Back.
  await openProfile(page)
  await expectEntriesOf(page, 1)
  await page.keyboard.press('Escape')
  await expect(profile(page)).toBeHidden()
  await goBack(page, 0)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Security Settings')
  await goForward(page)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Profile')
})

test('a dialog in the address asks as well, and Forward opens it again', async ({ page, guest }) => {
  await signIn(page, guest, '/account?tab=my-orders&defaultTab=offline')
  await page.getByRole('button', { name: 'Get a Quote' }).first().click()
  const message = quote(page).getByLabel('Message (optional)')
  await message.fill('For Graz.')
  await goBack(page, 1)
  await question(page).getByRole('button', { name: 'Keep editing' }).click()
  await expect(message).toHaveValue('For Graz.')
  await expect.poll(() => new URL(page.url()).searchParams.get('quote')).toBe('new')
  await goBack(page, 1)
  await question(page).getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => new URL(page.url()).searchParams.get('quote')).toBeNull()

  await goForward(page)
  await expect(quote(page)).toBeVisible()
  await goBack(page, 1)
  await expect(quote(page)).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('My Orders')
})

test('Back closes what a link has opened, and stays on the page', async ({ page, guest }) => {
  await signIn(page, guest, '/account?tab=my-orders&defaultTab=offline&quote=new')
  await expect(quote(page)).toBeVisible()
  await goBack(page, 1)
  await expect(quote(page)).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('My Orders')
  await expect.poll(() => new URL(page.url()).searchParams.get('quote')).toBeNull()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('My Orders')
  await expect(quote(page)).toBeHidden()

  await page.goto(`${at.account}/account?tab=payment-option-management&dialog=add`)
  await expect(page.getByRole('dialog', { name: 'Add Credit Card' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => new URL(page.url()).searchParams.get('dialog')).toBeNull()
})
