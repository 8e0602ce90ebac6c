import type { Page } from '@playwright/test'
import { at, emailTo, expect, expectAccessibleInBoth, signIn, test } from './support/journey.ts'

interface Person {
  email: string
  sharing?: 'confirmed' | 'unconfirmed'
}

/** Says who signs in at the stand-in of a provider, and allows what the application asks for. */
async function answerAtProvider(page: Page, { email, sharing = 'confirmed' }: Person) {
  await page.waitForURL(`${at.sandbox}/identity/**`)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=firstName]').fill('Grete')
  await page.locator('input[name=lastName]').fill('Neumann')
  await page.locator('select[name=sharing]').selectOption(sharing)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const newAddress = (name: string) => `${name}-${Date.now()}@folio.test`

test('a new customer signs in with a provider, confirms the address with a code, and lands where they wanted to, in German on a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const email = newAddress('neu')
  await page.goto(`${at.account}/de/account?tab=my-orders`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Weiter mit Microsoft' }).click()
  await page.waitForURL(`${at.sandbox}/identity/**`)
  await page.locator('input[name=email]').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.waitForURL(`${at.sso}/callback/microsoft`)
  await expect(page.getByRole('heading', { name: 'E-Mail-Adresse bestätigen' })).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Code senden' }).click()
  const { text } = await emailTo(page, email, /Code/)
  await page.getByLabel('Code', { exact: true }).fill(/\b\d{6}\b/.exec(text)?.[0] ?? '')
  await page.getByRole('button', { name: 'Weiter', exact: true }).click()
  await page.waitForURL(`${at.account}/de/account?tab=my-orders**`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('link, sign in again in the popup with the provider while something is typed, and unlink', async ({
  page,
  guest,
}) => {
  const email = newAddress('linked')
  await signIn(page, guest, '/account?tab=security-settings')
  const row = page.getByRole('row').filter({ hasText: 'Google' })
  const opened = page.waitForEvent('popup')
  await row.getByRole('button', { name: 'Link Google' }).click()
  const popup = await opened
  await popup.locator('input[autocomplete=current-password]').fill(guest.password)
  await popup.getByRole('button', { name: 'Continue to Google' }).click()
  await answerAtProvider(popup, { email })
  await expect(page.getByText('Google is linked.').first()).toBeVisible()
  await expect(row).toContainText(email)
  await expectAccessibleInBoth(page)
  expect((await emailTo(page, guest.email, /Google/)).text).toContain('linked')

  await page.goto(`${at.account}/account`)
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
  await dialog.getByLabel('Company').fill('Typed before the end')
  await page.context().clearCookies({ domain: 'localhost' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  const login = page.waitForEvent('popup')
  await page.getByRole('dialog', { name: 'You were signed out' }).getByRole('button', { name: 'Sign in' }).click()
  const loginPopup = await login
  await loginPopup.getByRole('button', { name: 'Continue with Google' }).click()
  await answerAtProvider(loginPopup, { email })
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('main')).toContainText('Typed before the end')

  await page.goto(`${at.account}/account?tab=security-settings`)
  await row.getByRole('button', { name: 'Unlink Google' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await expect(page.getByText('Google is unlinked.').first()).toBeVisible()
  await expect(row).toContainText('Not linked')
})

test('closing the popup links nothing, and neither a hostile opener nor a hostile popup learns anything', async ({
  page,
  guest,
}) => {
  await signIn(page, guest, '/account?tab=security-settings')
  let tokens = 0
  page.on('request', (request) => {
    if (request.url().includes('account-link-token')) tokens += 1
  })
  await page
    .context()
    .route(`${at.sso}/link-account**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>empty</title>' }),
    )
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Link Google' }).click()
  const popup = await opened
  await popup.goto(`${at.sandbox.replace('localhost', '127.0.0.1')}/site`)
  await popup.evaluate(() => window.opener?.postMessage({ type: 'getUserInfo' }, '*')).catch(() => undefined)
  await page.evaluate(() => window.postMessage({ type: 'getUserInfo' }, location.origin))
  await popup.close()
  await expect(page.getByText('Complete it in the other window.')).toBeHidden()
  expect(tokens).toBe(0)
  await page.context().unroute(`${at.sso}/link-account**`)

  const heard: unknown[] = []
  const hostile = await page.context().newPage()
  await hostile.exposeFunction('heard', (message: unknown) => heard.push(message))
  await hostile.goto(`${at.sandbox.replace('localhost', '127.0.0.1')}/site`)
  const inner = hostile.waitForEvent('popup')
  await hostile.evaluate((url) => {
    addEventListener('message', (event) => void Reflect.get(window, 'heard')(event.data))
    window.open(url, 'popup', 'width=650,height=600')
  }, `${at.sso}/link-account?provider=google`)
  const link = await inner
  await link.waitForLoadState('networkidle')
  await hostile.evaluate(() => undefined)
  expect(heard).toEqual([])
  await expect(link.locator('input[type=password]')).toHaveCount(0)
})
