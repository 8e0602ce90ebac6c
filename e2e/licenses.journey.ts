import { readFile } from 'node:fs/promises'
import { at, expect, expectAccessible, expectNoSidewaysScroll, signIn } from './support/journey.ts'
import { demo, licenses, query, rows } from './support/lists.ts'
import { test } from './support/shared-page.ts'

test('licenses have a tab per product, and the product is in the address: Back and reload work', async ({ page }) => {
  await signIn(page, demo('ada'), licenses)
  await expect(page.getByRole('tab', { selected: true })).toHaveText(/Folio PDF Editor\s*3/)
  await expect(rows(page)).toHaveCount(4)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('12')

  await page.getByRole('tab', { name: 'Folio PDF Editor for Mac' }).click()
  await expect(page.getByText('L-2026-0013')).toBeVisible()
  await expect.poll(() => query(page)).toEqual({ tab: 'license-management', sku: 'pdf-editor-mac' })
  await page.reload()
  await expect(page.getByRole('tab', { selected: true })).toContainText('for Mac')
  await page.goBack()
  await expect(page.getByText('L-2025-0010')).toBeVisible()
  await expect.poll(() => query(page)).toEqual({ tab: 'license-management' })
})

test('a row shows a license: version, edition, platform, seats, end, state, relationship', async ({ page }) => {
  await signIn(page, demo('ada'), licenses)
  const team = rows(page).filter({ hasText: 'L-2025-0010' })
  for (const fact of ['Version 13.1', 'Team', 'Windows', 'Multilingual', '25', 'Active', 'Perpetual', 'Holder'])
    await expect(team).toContainText(fact)
  await expect(rows(page).filter({ hasText: 'L-2023-0012' })).toContainText('Expired')

  await page.getByRole('tab', { name: 'Folio PDF Editor+' }).click()
  await expect(rows(page).filter({ hasText: 'L-2026-0412' })).toContainText('4 of 12')
  await expect(rows(page).filter({ hasText: 'L-2026-0424' })).toContainText('Contact')
})

test('a product without licenses, or an unknown one, is removed from the address', async ({ ownPage: page }) => {
  await signIn(page, demo('ada'), `${licenses}&sku=no-such-product&status=odd&range=ever&page=x`)
  await expect(page.getByRole('tab', { selected: true })).toContainText('Folio PDF Editor')
  await expect.poll(() => query(page)).toEqual({ tab: 'license-management' })
})

test('licenses are found by status, created date and license id, and Clear All finds them all again', async ({
  page,
}) => {
  await signIn(page, demo('ada'), licenses)
  await page.getByLabel('Status').selectOption({ label: 'Expired' })
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('tab', { selected: true })).toHaveText(/Folio PDF Editor\s*1/)
  await expect.poll(() => query(page).status).toBe('expired')
  await page.getByRole('button', { name: 'Clear All' }).click()
  await expect(rows(page)).toHaveCount(4)

  await page.getByLabel('Created').selectOption({ label: 'Last 3 years' })
  await expect(rows(page)).toHaveCount(3)
  await expect.poll(() => query(page)).toEqual({ tab: 'license-management', range: 'three-year' })
  await page.reload()
  await expect(rows(page)).toHaveCount(3)

  const search = page.getByRole('textbox', { name: 'Search by license ID' })
  await search.fill('l-2024')
  await expect(rows(page)).toHaveCount(3)
  await search.press('Enter')
  await expect(rows(page)).toHaveCount(2)
  await search.fill('l-2026-0412')
  await search.press('Enter')
  await page.getByRole('main').getByRole('button', { name: 'Folio PDF Editor+ 1' }).click()
  await expect(page.getByText('L-2026-0412')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.goBack()
  await search.fill('nothing of the kind')
  await page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByText('No licenses match your filters.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Clear All' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Clear All' }).last().click()
  await expect(rows(page)).toHaveCount(4)
  await expect(page.getByRole('button', { name: 'Clear All' })).toHaveCount(0)
})

test('thousands of licenses are paged by ten; a changed filter starts at the first page', async ({ page }) => {
  await signIn(page, demo('bulk'), `${licenses}&page=3`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('5,000')
  await expect(page.getByText(/^21–30 of/)).toBeVisible()
  await page.getByLabel('Status').selectOption({ label: 'Active' })
  await expect(page.getByText(/^1–10 of/)).toBeVisible()
  await expect.poll(() => query(page)).toEqual({ tab: 'license-management', status: 'valid' })
})

test('Get The Key shows the keys in full, copies one, and downloads them as a file; none remains after closing', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, demo('ada'), licenses)
  await page.getByRole('button', { name: 'Get The Key: L-2025-0010' }).click()
  const dialog = page.getByRole('dialog', { name: 'Get The Key' })
  const keys = dialog.getByRole('list', { name: 'Keys' }).getByRole('listitem')
  await expect(keys).toHaveCount(3)
  await expectAccessible(page)

  const key = (await keys.first().locator('.code').textContent()) ?? ''
  expect(key).toMatch(/^[A-Z0-9-]{16,}$/)
  await dialog.getByRole('button', { name: `Copy key ${key}` }).click()
  await expect(page.getByText('Copied successfully.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)

  const coming = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download keycode file' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toBe('keycodes-L-2025-0010.txt')
  expect(await readFile(await file.path(), 'utf8')).toContain(key)
  await expect(page.getByText('Keycode file downloaded successfully.')).toBeVisible()

  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Get The Key: L-2025-0010' })).toBeFocused()
  const refetched = page.waitForRequest('**/account/licenses/L-2025-0010/keys/**')
  await page.getByRole('button', { name: 'Get The Key: L-2025-0010' }).click()
  await refetched
})

test('a key that the browser does not copy stays in view, and the failure is said', async ({ ownPage: page }) => {
  await page.addInitScript(() => {
    Reflect.set(navigator.clipboard, 'writeText', () => Promise.reject(new Error('not allowed')))
  })
  await signIn(page, demo('ada'), licenses)
  await page.getByRole('button', { name: 'Get The Key: L-2025-0010' }).click()
  const dialog = page.getByRole('dialog', { name: 'Get The Key' })
  await dialog
    .getByRole('button', { name: /^Copy key/ })
    .first()
    .click()
  await expect(page.getByText('Failed to copy.')).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveCount(3)
})

test('a failed download of the keycode file shows the reason beside the keys', async ({ page }) => {
  await signIn(page, demo('ada'), licenses)
  await page.route('**/keycode-file/**', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: '{"type":"about:blank","title":"","status":403,"code":"not_holder","requestId":"r-1"}',
    }),
  )
  await page.getByRole('button', { name: 'Get The Key: L-2025-0010' }).click()
  await page.getByRole('button', { name: 'Download keycode file' }).click()
  await expect(page.getByRole('dialog')).toContainText('Only the license holder can do that.')
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(3)
})

test('what is bought and managed elsewhere links there; in Russian nothing is sold', async ({ page }) => {
  await signIn(page, demo('ada'), licenses)
  await page.getByRole('button', { name: 'More actions: L-2025-0010' }).click()
  await expectAccessible(page)
  const manage = page.getByRole('menuitem', { name: 'Manage', exact: true })
  expect(await manage.getAttribute('href')).toBe(`${at.sandbox}/admin-console`)
  expect(await manage.getAttribute('target')).toBe('_blank')
  const more = page.getByRole('menuitem', { name: 'Purchase Additional Licenses' })
  expect(await more.getAttribute('href')).toBe(
    `${at.sandbox}/site/shopping/checkout/?sku=pdf-editor&language=en-us&license=one-time&buyNum=1`,
  )
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More actions: L-2024-0011' }).click()
  const purchase = page.getByRole('menuitem', { name: 'Purchase', exact: true })
  expect(await purchase.getAttribute('href')).toBe(
    `${at.sandbox}/site/shopping/checkout/?sku=pdf-editor&license_id=AC-88213&license=yearly`,
  )

  await page.goto(`${at.account}/ru${licenses}`)
  await page
    .getByRole('button', { name: /L-2024-0011/ })
    .last()
    .click()
  await expect(page.getByRole('menuitem', { name: 'Устройства' })).toBeVisible()
  await expect(page.locator('a[href*="/shopping"]')).toHaveCount(0)
})

test('Manage Devices leads to the keys of the license, or to the devices of those who sign in', async ({ page }) => {
  await signIn(page, demo('ada'), licenses)
  await page.getByRole('button', { name: 'More actions: L-2025-0010' }).click()
  await page.getByRole('menuitem', { name: 'Manage Devices' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Manage Devices')
  await expect
    .poll(() => query(page))
    .toEqual({
      tab: 'device-management',
      method: 'keycode',
      sku: 'pdf-editor',
      licenseId: 'L-2025-0010',
    })

  await page.goto(`${at.account}${licenses}&sku=pdf-editor-plus`)
  await page.getByRole('button', { name: 'More actions: L-2026-0412' }).click()
  await page.getByRole('menuitem', { name: 'Manage Devices' }).click()
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Activate via Email')
})

test('a customer without licenses sees a link to the shop', async ({ page, reader }) => {
  await signIn(page, reader, licenses)
  await expect(page.getByText('No data.')).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
  await expectAccessible(page)
  expect(await page.getByRole('link', { name: 'Buy Now' }).getAttribute('href')).toBe(`${at.sandbox}/site/shopping`)
  await page.goto(`${at.account}/ru${licenses}`)
  await expect(page.getByText('Нет данных.')).toBeVisible()
  await expect(page.locator('main a[href*="/shopping"]')).toHaveCount(0)
})

test('a failure to load licenses is shown in place, and can be retried', async ({ ownPage: page }) => {
  await signIn(page, demo('ada'))
  let fails = true
  await page.route('**/account/{licenses,products}/**', (route) => (fails ? route.abort() : route.continue()))
  await page.getByRole('link', { name: 'License', exact: true }).click()
  await expect(page.getByText('We cannot reach our servers.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('License Management')
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('L-2025-0010')).toBeVisible()
})

test('a failure to load state names is shown, and so are the licenses', async ({ ownPage: page }) => {
  let fails = true
  await page.route('**/account/dictionaries/**', (route) => (fails ? route.abort() : route.continue()))
  await signIn(page, demo('ada'), licenses)
  await expect(page.getByText('L-2025-0010')).toBeVisible()
  await expect(page.getByRole('alert')).toBeVisible()
  fails = false
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(rows(page).filter({ hasText: 'L-2025-0010' })).toContainText('Active')
})

test('in German on a phone: cards with every field, keys on a sheet, nothing wider than the page', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, demo('ada'), `/de${licenses}`)
  await expect(page.getByRole('table')).toHaveCount(0)
  const card = page.getByRole('listitem').filter({ hasText: 'L-2025-0010' })
  for (const fact of ['Aktiv', 'Plätze', 'Läuft ab', 'Unbefristet', 'Erstellt', 'Inhaber'])
    await expect(card).toContainText(fact)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  await card.getByRole('button', { name: 'Schlüssel anzeigen: L-2025-0010' }).click()
  const sheet = page.getByRole('dialog', { name: 'Schlüssel anzeigen' })
  await expect(sheet.getByRole('listitem')).toHaveCount(3)
  await expect.poll(() => sheet.evaluate((element) => element.getBoundingClientRect().bottom)).toBe(844)

  await page.goto(`${at.account}/de${licenses}&sku=ai-assistant`)
  await expect(page.getByRole('tab', { selected: true })).toBeInViewport({ ratio: 0.9 })
})
