import { randomUUID } from 'node:crypto'
import {
  at,
  emailTo,
  expect,
  expectAccessibleInBoth,
  expectNoSidewaysScroll,
  fillSignIn,
  test,
} from './support/journey.ts'

test('a new customer signs up, confirms the address by email, and reaches the account area', async ({ page }) => {
  const email = `new-${randomUUID()}@folio.test`
  await page.goto(`${at.account}/account`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.locator('input[autocomplete=given-name]').fill('Nia')
  await page.locator('input[autocomplete=family-name]').fill('Newcomer')
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[autocomplete=new-password]').fill('A-long-enough-one-5')
  await page.locator('button[type=submit]').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/mail/i)

  const confirmation = await emailTo(page, email)
  await page.goto(confirmation.links[0] ?? '')
  await page.locator('input[autocomplete=current-password]').fill('A-long-enough-one-5')
  await page.locator('button[type=submit]').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account is ready')
  await page.goto(`${at.account}/account`)
  if (page.url().startsWith(at.sso)) await fillSignIn(page, { email, password: 'A-long-enough-one-5' })

  await page.waitForURL(`${at.account}/account**`)
  await expect(page.getByRole('main')).toContainText(email)
  await expect(page.getByRole('main')).toContainText('Nia Newcomer')
})

test('a customer who forgot the password resets it by email, and the old one no longer works', async ({
  page,
  guest,
}) => {
  await page.goto(`${at.sso}/cas/login`)
  await page.locator('input[type=email]').fill(guest.email)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await expect(page.locator('input[type=email]')).toHaveValue(guest.email)
  await page.locator('button[type=submit]').click()
  const reset = await emailTo(page, guest.email)
  await page.goto(reset.links[0] ?? '')
  await page.locator('input[autocomplete=new-password]').fill('Remembered-now-9')
  await page.locator('button[type=submit]').click()
  await expect(page.locator('input[autocomplete=new-password]')).toHaveCount(0)

  await page.context().clearCookies()
  await page.goto(`${at.account}/account`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await fillSignIn(page, guest)
  await expect(page.getByRole('alert').first()).toBeVisible()
  await fillSignIn(page, { ...guest, password: 'Remembered-now-9' })
  await page.waitForURL(`${at.account}/**`)
})

test('a service that is not registered is refused with a page, not a redirect', async ({ page }) => {
  const reply = await page.goto(`${at.sso}/cas/login?service=${encodeURIComponent('https://evil.test/account')}`)
  expect(reply?.status()).toBe(403)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => new URL(page.url()).origin).toBe(at.sso)
})

for (const path of [
  '/cas/login',
  '/sign-up',
  '/forgotten-password',
  '/reset-password',
  '/cas/login?service=https%3A%2F%2Fevil.test',
]) {
  test(`${path}: no accessibility violation at any width, nothing wider than the page`, async ({ page }) => {
    await page.goto(`${at.sso}${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const width of [320, 650, 1400]) {
      await page.setViewportSize({ width, height: 700 })
      await expectAccessibleInBoth(page)
      await expectNoSidewaysScroll(page)
    }
  })
}

test('signing in works with the keyboard only, and a refused field shows its focus', async ({ page, guest }) => {
  await page.goto(`${at.account}/account`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await page.locator('input[type=email]').focus()
  await page.keyboard.type(guest.email)
  await page.keyboard.press('Enter')
  const password = page.locator('input[autocomplete=current-password]')
  await expect(password).toBeFocused()
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await expect(password.locator('..')).toHaveCSS('outline-style', 'solid')
  await page.keyboard.type(guest.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${at.account}/**`)
  await expect(page.getByRole('main')).toContainText(guest.email)
})
