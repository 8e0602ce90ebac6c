import { readFile } from 'node:fs/promises'
import { expect, expectAccessible, expectNoSidewaysScroll, signIn } from './support/journey.ts'
import { byKey, demo, devices, openKey, query, rows } from './support/lists.ts'
import { test } from './support/shared-page.ts'

test('devices activated by e-mail: whose, where, which subscription; the Owner sees the members’ too', async ({
  page,
}) => {
  await signIn(page, demo('ada'), devices)
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Activate via Email')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('9')
  await expect(rows(page)).toHaveCount(10)
  const own = rows(page).filter({ hasText: 'Adas-iPad' })
  for (const fact of ['Folio PDF Editor+ Mobile', /([0-9A-F]{2}:){5}[0-9A-F]{2}/, 'Active'])
    await expect(own).toContainText(fact)
  await expect(own).not.toContainText('ada@folio.test')
  await expect(rows(page).filter({ hasText: 'MOREAU-BUREAU' })).toContainText('pia@folio.test')
  await expectAccessible(page)
})

test('a deactivated device says how to activate it again, to the keyboard too', async ({ page }) => {
  await signIn(page, demo('ada'), devices)
  const again = rows(page).filter({ hasText: 'OLD-LAPTOP' }).getByRole('button', { name: 'Activate' })
  await page.getByRole('button', { name: 'More actions: Adas-iPad' }).focus()
  await page.keyboard.press('Tab')
  await expect(again).toBeFocused()
  await expect(page.getByRole('tooltip')).toContainText('sign in with ada@folio.test')
  await expectAccessible(page)
})

test('a device activated by e-mail is deactivated after a confirmation that names it', async ({ page }) => {
  await signIn(page, demo('grace'), devices)
  await page.getByRole('button', { name: 'Deactivate KANZLEI-PC-1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Deactivate KANZLEI-PC-1?' })
  await expect(dialog).toContainText('Folio PDF Editor+ will stop working here the next time it checks in.')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Replace KANZLEI-PC-1' })).toHaveCount(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('The device deactivated successfully.')).toBeVisible()
  await expect(rows(page).filter({ hasText: 'KANZLEI-PC-1' })).toContainText('Activate')
  await expect(page.getByRole('button', { name: /^Deactivate/ })).toHaveCount(0)
  await page.reload()
  await expect(rows(page).filter({ hasText: 'KANZLEI-PC-1' })).toContainText('Activate')
})

test('on a phone three presses release everything on a dead computer, and say how the next one is activated', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await signIn(page, demo('omar'), devices)
  const question = page.getByRole('dialog', { name: 'Replace NGL-0107?' })
  // Whoever asks for one product is told that there are more.
  await page.getByRole('button', { name: 'Deactivate NGL-0107' }).first().click()
  const one = page.getByRole('dialog', { name: 'Deactivate NGL-0107?' })
  await expect(one).toContainText('Only this product is deactivated.')
  await expectAccessible(page)
  await one.getByRole('button', { name: 'Replace NGL-0107' }).click()
  await expect(question.getByRole('listitem')).toHaveCount(2)
  await expect(one).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/tab=device-management/)

  await page.getByRole('button', { name: 'More actions: NGL-0107' }).first().click()
  await page.getByRole('menuitem', { name: 'Replace NGL-0107' }).click()
  await expect(question.getByRole('listitem')).toHaveCount(2)
  await expect(question).toContainText('omar@folio.test')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page)

  await question.getByRole('button', { name: 'Release' }).click()
  const outcome = page.getByRole('dialog', { name: 'NGL-0107 is released' })
  await expect(outcome).toContainText('Open it and sign in as omar@folio.test.')
  await expect(outcome.getByRole('link', { name: 'My Products' })).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await outcome.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('button', { name: /NGL-0107/ })).toHaveCount(0)
})

test('from a product to its licenses, keys and devices, each in the address and never a key', async ({ page }) => {
  await signIn(page, demo('ada'), devices)
  await page.getByRole('tab', { name: 'Activate via Keycode' }).click()
  await expect(page.getByLabel('Product', { exact: true })).toHaveValue('pdf-editor')
  await page.getByLabel('Product', { exact: true }).selectOption({ label: 'Folio PDF Editor for Mac' })
  await expect(page.getByText('L-2026-0013')).toBeVisible()
  // Another customer is its Holder; Ada is its Partner.
  await expect(page.getByText('L-2025-0015')).toHaveCount(0)
  await expect.poll(() => query(page)).toEqual({ tab: 'device-management', method: 'keycode', sku: 'pdf-editor-mac' })
  await page.goBack()
  await expect(page.getByText('L-2025-0010')).toBeVisible()

  await page.getByRole('link', { name: 'Manage Devices: L-2025-0010' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /Manage Devices/ })).toBeFocused()
  const key = rows(page).nth(2)
  await expect(key).toContainText('5 of 10')
  const mask = (await key.locator('.code').textContent()) ?? ''
  expect(mask).toMatch(/^.{10}\*+.{5}$/)
  await key.getByRole('link', { name: `All Devices: ${mask}` }).click()

  await expect(page.getByRole('heading', { level: 1, name: /All Devices/ })).toBeFocused()
  await expect(page.getByText(`Key ${mask} · Folio PDF Editor Team for Windows`)).toBeVisible()
  await expect
    .poll(() => query(page))
    .toMatchObject({ licenseId: 'L-2025-0010', code: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  await expect(page.getByText('20 of 20 deactivations left')).toBeVisible()
  await page.reload()
  await expect(rows(page)).toHaveCount(6)
  await page.getByRole('button', { name: 'Manage Devices' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Manage Devices')
  await page.getByRole('button', { name: 'Device Management' }).click()
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Activate via Keycode')
})

test('every state of a device has its label: Active, Deactivated of version 11, Inactive', async ({ page }) => {
  await openKey(page, demo('ada'), 'L-2025-0010', 1)
  await expect(page.getByRole('button', { name: 'Deactivate MEETING-ROOM' })).toBeEnabled()
  const early = rows(page).filter({ hasText: 'PLOTTER-HOST' })
  await early.getByRole('button', { name: 'Deactivated' }).hover()
  await expect(page.getByRole('tooltip')).toContainText('Version 11 and earlier')
  await expect(early.getByRole('button', { name: /^Deactivate / })).toHaveCount(0)

  await page.getByRole('button', { name: 'Manage Devices' }).click()
  await page
    .getByRole('link', { name: /^All Devices/ })
    .first()
    .click()
  const inactive = rows(page).filter({ hasText: 'OLD-LAPTOP' })
  await expect(inactive).toContainText('Inactive')
  await inactive.getByRole('button', { name: 'Activate' }).focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('tooltip')).toContainText('enter the key')
  await expectAccessible(page)
})

test('deactivating a device uses one of the year’s deactivations; the list is updated from the reply', async ({
  page,
}) => {
  await openKey(page, demo('yuki'), 'L-2024-0018')
  await expect(page.getByText('4 of 4 deactivations left')).toBeVisible()
  await page.getByRole('button', { name: 'Deactivate YUKI-NOTE' }).click()
  const dialog = page.getByRole('dialog', { name: 'Deactivate YUKI-NOTE?' })
  await expect(dialog).toContainText('Folio PDF Editor will stop working here the next time it checks in.')
  await expect(dialog).toContainText('You’ll have 3 left.')
  await expectAccessible(page)

  let lists = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/account/key-devices/')) lists += 1
  })
  // The reply waits for both clicks: the second one would hit the page, and focus it.
  const clicked = Promise.withResolvers<void>()
  await page.route('**/account/key-devices/*/deactivate/', async (route) => {
    await clicked.promise
    await route.continue()
  })
  // A double click sends one request: a second one would be refused visibly.
  await dialog.getByRole('button', { name: 'Deactivate' }).dblclick()
  clicked.resolve()
  await expect(page.getByText('The device deactivated successfully.')).toBeVisible()
  await expect(page.getByText('3 of 4 deactivations left')).toBeVisible()
  await expect(rows(page).filter({ hasText: 'YUKI-NOTE' })).toContainText('Inactive')
  expect(lists).toBe(0)
  // Its button is gone, so the focus moves to the title.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await page.getByRole('button', { name: 'Manage Devices' }).click()
  await expect(rows(page).nth(1)).toContainText('0 of 2')
})

test('the activation record of a key is saved as a table', async ({ page }) => {
  await openKey(page, demo('ada'), 'L-2025-0010')
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export activation record' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/^activation-records-.{5}-\d{8}\.csv$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(text.startsWith('\uFEFF')).toBe(true)
  expect(text).toContain('ADA-THINKPAD')
})

test('a customer without devices sees how to get one', async ({ page, reader }) => {
  await signIn(page, reader, devices)
  await expect(page.getByText('No devices. A device appears here when you sign in to the product on it.')).toBeVisible()
  await page.getByRole('tab', { name: 'Activate via Keycode' }).click()
  await expect(page.getByText('No data. Licenses that are activated with a key appear here.')).toBeVisible()
  await expect(page.getByLabel('Product', { exact: true })).toHaveCount(0)
  await expectAccessible(page)
})

test('in Japanese on a phone: cards, tooltips by touch, the record beneath the list', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'ja-JP' })
  const page = await context.newPage()
  await signIn(page, demo('ada'), `/ja-jp${byKey}&licenseId=L-2025-0010`)
  await page
    .getByRole('link', { name: /^すべてのデバイス/ })
    .first()
    .tap()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('すべてのデバイス')
  await expect(page.getByText('残り解除回数：6 / 6')).toBeVisible()
  const card = page.getByRole('listitem').filter({ hasText: 'OLD-LAPTOP' })
  await expect(card).toContainText('無効')
  await card.getByRole('button', { name: 'アクティベート' }).tap()
  await expect(page.getByRole('tooltip')).toContainText('キーを入力してください')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  const record = page.getByRole('button', { name: 'アクティベーション記録をエクスポート' })
  await expect(async () => {
    expect((await record.boundingBox())?.y).toBeGreaterThan((await card.boundingBox())?.y ?? Number.POSITIVE_INFINITY)
  }).toPass()
  await context.close()
})

test('on a phone, a broken computer is found by its name or address, whatever key activated it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, demo('ada'), byKey)
  const search = page.getByRole('textbox', { name: 'Search keys and devices' })
  const cards = page.locator('main').getByRole('listitem').filter({ hasText: 'MEETING-ROOM' })
  await search.fill('meeting-room')
  await search.press('Enter')
  await expect(cards).toHaveCount(1)
  await expect.poll(() => query(page)).toMatchObject({ method: 'keycode', keyWord: 'meeting-room' })
  await expectAccessible(page)

  await cards.getByRole('link', { name: /^All Devices/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('1')
  await expect(cards).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Deactivate MEETING-ROOM' })).toBeEnabled()

  await page.getByRole('textbox', { name: 'Search devices' }).fill('nowhere')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No devices match your search.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear All' }).click()
  await expect(page.getByRole('button', { name: 'Deactivate MEETING-ROOM' })).toBeVisible()
})
