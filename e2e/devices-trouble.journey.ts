import type { Page } from '@playwright/test'
import { at, expect, expectAccessible, signIn } from './support/journey.ts'
import { byKey, demo, openKey, query, rows } from './support/lists.ts'
import { test } from './support/shared-page.ts'

/** Requests of the page for the devices of a key, from now on. */
function listsAsked(page: Page) {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/account/key-devices/')) asked.push(request.url())
  })
  return asked
}

test('a device that was deactivated elsewhere is reported as such, and the refusal brings the fresh list', async ({
  page,
}) => {
  await openKey(page, demo('omar'), 'L-2025-0017')
  const { code = '' } = query(page)
  await page.getByRole('button', { name: 'Deactivate NGL-0131' }).click()
  await page.evaluate(async (key) => {
    const { log } = await (await fetch(`/account/key-devices/?code=${key}`)).json()
    const { itemId } = log.find((device: { pcName: string }) => device.pcName === 'NGL-0131')
    const body = JSON.stringify({ code: key })
    const headers = { 'content-type': 'application/json' }
    await fetch(`/account/key-devices/${itemId}/deactivate/`, { method: 'POST', headers, body })
  }, code)

  await expect(page.getByText('80 of 80 deactivations left')).toBeVisible()
  const asked = listsAsked(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This device is no longer active.')
  await expect(page.getByText('79 of 80 deactivations left')).toBeVisible()
  await expect(dialog).not.toContainText('This uses')
  await expect(dialog.getByRole('button', { name: 'Deactivate' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(rows(page).filter({ hasText: 'NGL-0131' })).toContainText('Inactive')
  expect(asked).toEqual([])
})

test('without deactivations left the button is shown disabled, with the reason', async ({ page }) => {
  await signIn(page, demo('ada'), `${byKey}&licenseId=L-2026-0013`)
  await page.route('**/account/key-devices/?*', async (route) => {
    const reply = await (await route.fetch()).json()
    const log = reply.log.map((device: object) => ({ ...device, canDeactivate: 0 }))
    await route.fulfill({ json: { ...reply, log, deactivationsLeft: 0 } })
  })
  await page.reload()
  await page.getByRole('link', { name: /^All Devices/ }).click()
  await expect(page.getByText('0 of 6 deactivations left')).toBeVisible()
  const button = page.getByRole('button', { name: 'Deactivate Studio-iMac' })
  await expect(button).toBeDisabled()
  await button.hover()
  await expect(page.getByRole('tooltip')).toContainText('No deactivations left.')
  await button.click({ force: true })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectAccessible(page)
})

test('a refusal of the server is shown in the dialog, and list, dots and count agree with it', async ({
  ownPage: page,
}) => {
  await openKey(page, demo('ada'), 'L-2026-0013')
  await page.route('**/deactivate/**', async (route) => {
    const { code } = query(page)
    const list = await (await page.request.get(`${at.account}/account/key-devices/?code=${code}`)).json()
    const log = list.log.map((device: object) => ({ ...device, canDeactivate: 0 }))
    const problem = { type: 'about:blank', title: '', status: 409, code: 'no_deactivations_left', requestId: 'r-1' }
    const body = JSON.stringify({ ...problem, data: { ...list, log, deactivationsLeft: 0 } })
    await route.fulfill({ status: 409, contentType: 'application/problem+json', body })
  })
  const asked = listsAsked(page)
  await page.getByRole('button', { name: 'Deactivate Studio-iMac' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    'No deactivations are left for this key. You get each one back 365 days after you used it.',
  )
  await expect(dialog.getByRole('alert')).toBeFocused()
  await expect(dialog).not.toContainText('This uses')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByText('0 of 6 deactivations left')).toBeVisible()
  await expect(page.locator('[data-left]')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Deactivate Studio-iMac' })).toBeDisabled()
  expect(asked).toEqual([])
})

test('the devices of an expired license are shown, but cannot be deactivated', async ({ page }) => {
  await signIn(page, demo('ada'), `${byKey}&licenseId=L-2023-0012`)
  await page
    .getByRole('link', { name: /^All Devices/ })
    .first()
    .click()
  await expect(page.getByText('This license is no longer active')).toBeVisible()
  await expect(page.getByText(/deactivations left/)).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Deactivate / })).toHaveCount(0)
})

test('another customer’s license or key shows an error, with a link back', async ({ page }) => {
  await signIn(page, demo('ada'), `${byKey}&licenseId=L-2024-0018`)
  await expect(page.getByRole('alert')).toContainText('Page not found.')
  await page.goto(`${at.account}${byKey}&licenseId=L-2025-0015`)
  await expect(page.getByRole('alert')).toContainText('Only the license holder can manage its devices.')
  await page.goto(`${at.account}${byKey}&code=00000000-0000-4000-8000-000000000000`)
  await expect(page.getByRole('alert')).toContainText('Page not found.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back to Device Management' }).click()
  await expect(page.getByText('L-2025-0010')).toBeVisible()
  await expect.poll(() => query(page)).toEqual({ tab: 'device-management', method: 'keycode' })
})

test('a failure to load devices is shown in place, and can be retried', async ({ ownPage: page }) => {
  await signIn(page, demo('ada'))
  let fails = true
  await page.route('**/account/email-devices/**', (route) => (fails ? route.abort() : route.continue()))
  await page.getByRole('link', { name: 'Device', exact: true }).click()
  await expect(page.getByText('We cannot reach our servers.')).toBeVisible()
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Adas-iPad')).toBeVisible()
})
