import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { at, emailTo, expect, fillSignIn, signIn } from './support/journey.ts'
import { test } from './support/shared-page.ts'

/** Opens a popup of the single sign-on. */
async function openPopup(page: Page, button: string): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: button }).click()
  return opened
}

/** Opens the popup in which the password is changed. */
const openResetPopup = (page: Page) => openPopup(page, 'Reset Password')

const durations = [
  { name: 'No Access', days: undefined },
  { name: '1 week', days: 7 },
  { name: '1 month', days: 30 },
  { name: '3 months', days: 91 },
  { name: '6 months', days: 182 },
  { name: '1 year', days: 365 },
]

test('support access: each duration shows its end, and access can be given, changed and withdrawn', async ({
  page,
  guest,
}) => {
  await signIn(page, guest, '/account?tab=security-settings')
  const row = page.getByRole('row').filter({ hasText: 'Folio Support' })
  await expect(row).toContainText('No access granted yet')

  const newest = page.getByRole('region', { name: 'Activity' }).getByRole('row').nth(1)
  for (const { name, days } of [...durations.slice(1), ...durations.slice(0, 1)]) {
    const button = days === 7 ? 'Set Access Duration' : 'Change Access Duration'
    await row.getByRole('button', { name: button }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(name, { exact: true }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Access duration changed successfully.').last()).toBeVisible()

    await expect(newest).toContainText(days === undefined ? 'Support access withdrawn' : 'Support access granted')
    const stored = await page.request.get(`${at.account}/account/support-access/`)
    const { grantLoginExpireTime } = await stored.json()
    if (days === undefined) {
      expect(grantLoginExpireTime).toBe(0)
      await expect(row).toContainText('No access granted yet')
    } else {
      // Calendar months have 28 to 31 days.
      expect(Math.abs(grantLoginExpireTime - Date.now() / 1000 - days * 86_400)).toBeLessThan(3.5 * 86_400)
      const year = new Date(grantLoginExpireTime * 1000).getFullYear()
      await expect(row).toContainText(String(year))
    }
  }
})

test('access that was just given stays shown, though what the dialog asked for before comes later', async ({
  page,
  guest,
}) => {
  await signIn(page, guest, '/account?tab=security-settings')
  const row = page.getByRole('row').filter({ hasText: 'Folio Support' })
  await expect(row).toContainText('No access granted yet')
  const saved = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  await page.route('**/account/support-access/', async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const reply = await route.fetch()
    await saved.promise
    await route.fulfill({ response: reply }).catch(() => undefined)
    late.resolve()
  })
  await row.getByRole('button', { name: 'Set Access Duration' }).click()
  await page.getByRole('dialog').getByText('1 week', { exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  saved.resolve()
  await late.promise
  await page.waitForTimeout(300)
  await expect(row.getByRole('button', { name: 'Change Access Duration' })).toBeVisible()
})

test('support access that cannot be changed says so, and nothing changes', async ({ page, reader }) => {
  await signIn(page, reader, '/account?tab=security-settings')
  await page.getByRole('button', { name: /Access Duration/ }).click()
  await page.route('**/account/support-access/', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, body: 'no problem document' }) : route.continue(),
  )
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 week', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Failed to change the access duration.')).toBeVisible()
  await expect(dialog.getByRole('alert')).toBeFocused()
})

test('reset password: the popup identifies the customer, changes the password, and ends every session', async ({
  page,
  guest,
}) => {
  await signIn(page, guest, '/account?tab=security-settings')
  const popup = await openResetPopup(page)
  await expect.poll(() => new URL(popup.url()).origin).toBe(at.sso)
  expect(popup.viewportSize()).toEqual({ width: 650, height: 600 })

  await popup.locator('input[autocomplete=current-password]').fill(guest.password)
  await popup.locator('input[autocomplete=new-password]').fill('Another-good-one-7')
  await popup.locator('button[type=submit]').click()

  await expect(page.getByText('Password reset successfully. Please log in again.').first()).toBeVisible()
  await page.waitForURL(`${at.sandbox}/site**`)
  const notice = await emailTo(page, guest.email, /password/i)
  expect(notice.text).not.toContain('Another-good-one-7')

  await page.goto(`${at.account}/account`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await fillSignIn(page, guest)
  await expect(page.getByRole('alert')).toBeVisible()
  await fillSignIn(page, { ...guest, password: 'Another-good-one-7' })
  await page.waitForURL(`${at.account}/**`)
})

test('reset password: a wrong current password is reported in the popup, and closing it changes nothing', async ({
  page,
  reader,
}) => {
  await signIn(page, reader, '/account?tab=security-settings')
  const popup = await openResetPopup(page)
  await popup.locator('input[autocomplete=current-password]').fill('wrong-password')
  await popup.locator('input[autocomplete=new-password]').fill('Another-good-one-7')
  await popup.locator('button[type=submit]').click()
  await expect(popup.getByText('This is not your current password.')).toBeVisible()
  await expect(popup.locator('input[autocomplete=current-password]')).toBeFocused()
  await popup.close()

  await expect(page.getByText('Continue in the other window.')).toBeHidden()
  expect((await page.request.get(`${at.account}/account/session/`)).status()).toBe(200)
})

test('reset password: an error of the popup is shown in the specification’s words', async ({ page, reader }) => {
  await signIn(page, reader, '/account?tab=security-settings')
  const popup = await openResetPopup(page)
  await popup.waitForLoadState()
  await popup.evaluate((origin) => window.opener.postMessage({ type: 'resetPasswordError' }, origin), at.account)

  await expect(page.getByText('Failed to reset password, Please try again later.')).toBeVisible()
  expect((await page.request.get(`${at.account}/account/session/`)).status()).toBe(200)
})

test('a hostile popup gets no token, neither from another origin nor in another window of ours', async ({
  page,
  reader,
}) => {
  await signIn(page, reader, '/account?tab=security-settings')
  let tokens = 0
  page.on('request', (request) => {
    if (request.url().endsWith('-token/')) tokens += 1
  })
  for (const [button, path, success] of [
    ['Reset Password', 'reset-password', 'resetPasswordSuccess'],
    ['Link Google', 'link-account', 'linkAccountSuccess'],
  ] as const) {
    // The popup's window, navigated to another origin.
    const address = `${at.sso}/${path}**`
    const empty = { contentType: 'text/html', body: '<!doctype html><title>empty</title>' }
    await page.context().route(address, (route) => route.fulfill(empty))
    const popup = await openPopup(page, button)
    await popup.goto(`${at.sandbox.replace('localhost', '127.0.0.1')}/site`)
    await popup.evaluate(() => window.opener?.postMessage({ type: 'getUserInfo' }, '*')).catch(() => undefined)
    // A frame of our own origin is not the window that was opened.
    await page.evaluate(() => window.postMessage({ type: 'getUserInfo' }, location.origin))
    await page.evaluate((type) => window.postMessage({ type }, location.origin), success)
    await popup.close()
    await expect(page.getByText('in the other window.')).toBeHidden()
  }
  expect(tokens).toBe(0)
  expect((await page.request.get(`${at.account}/account/session/`)).status()).toBe(200)
})

test('a hostile opener learns nothing from a popup', async ({ ownPage: page }) => {
  const heard: unknown[] = []
  await page.exposeFunction('heard', (message: unknown) => heard.push(message))
  await page.goto(`${at.sandbox.replace('localhost', '127.0.0.1')}/site`)
  await page.evaluate(() => addEventListener('message', (event) => void Reflect.get(window, 'heard')(event.data)))
  for (const path of ['/reset-password', '/link-account?provider=google', '/unlink-account?id=1']) {
    const opened = page.waitForEvent('popup')
    await page.evaluate((url) => void window.open(url, '_blank', 'width=650,height=600'), `${at.sso}${path}`)
    const popup = await opened
    await popup.waitForLoadState('networkidle')
    await page.evaluate(() => undefined)

    expect(heard).toEqual([])
    await expect(popup.locator('input[type=password]')).toHaveCount(0)
  }
})

test('a copy of what is stored about a person is prepared, emailed about and downloaded', async ({ page, guest }) => {
  await signIn(page, guest, '/account?tab=security-settings')
  const data = page.getByRole('region', { name: 'Your Data' })
  await data.getByRole('button', { name: 'Prepare Download' }).click()
  await expect(data.getByRole('status')).toContainText(/being prepared|Available until/)

  const button = data.getByRole('button', { name: /Download \(\d+ kB\)/ })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  expect(download.suggestedFilename()).toMatch(/^account-data-\d{4}-\d\d-\d\d\.zip$/)
  const content = await readFile(await download.path())
  for (const part of ['account.json', 'sign-on.json']) expect(content.includes(part)).toBe(true)
  const { subject } = await emailTo(page, guest.email, /ready to download/)
  expect(subject).toBe('Your Folio data is ready to download')
  await expect(page.getByRole('region', { name: 'Activity' })).toContainText('Copy of your data requested')

  // The page was open until it had expired.
  await page.route('**/account/data-export/', (route) => route.fulfill({ json: { dataExport: null } }))
  await button.click()
  await expect(data.getByRole('status')).toHaveText('The download is no longer available. Prepare it again.')
  await expect(data.getByRole('button', { name: 'Prepare Download' })).toBeVisible()
})
