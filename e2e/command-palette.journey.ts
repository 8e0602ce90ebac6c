import { at, expect, expectAccessible, expectAccessibleInBoth, signIn, test } from './support/journey.ts'
import { demo } from './support/lists.ts'

test('Ctrl K finds orders, subscriptions and licenses, jumps to tabs and changes the scheme, by keyboard alone', async ({
  page,
}) => {
  await signIn(page, demo('ada'))
  const palette = page.getByRole('dialog', { name: 'Search' })
  await page.keyboard.press('Control+k')
  const field = palette.getByRole('combobox', { name: 'Search or jump to' })
  await expect(field).toBeFocused()
  await expect(palette.getByRole('option', { name: 'Device Management' })).toBeVisible()
  await expectAccessibleInBoth(page)

  await page.keyboard.type('esign bus')
  const subscription = palette.getByRole('group', { name: 'Subscriptions' }).getByRole('option')
  await expect(subscription.first()).toContainText(/^Folio eSign Business.*sub_/)
  await expect(palette.getByRole('group', { name: 'Licenses' }).getByRole('option').first()).toContainText('L-')
  const orders = palette.getByRole('group', { name: 'Orders' }).getByRole('option')
  await expect(orders).toHaveCount(5)
  await expectAccessible(page)

  await page.keyboard.press('ArrowDown')
  await expect(field).toHaveAttribute('aria-activedescendant', (await orders.nth(1).getAttribute('id')) ?? '')
  const number = (await orders.nth(1).innerText()).split('\n')[0] ?? ''
  await page.keyboard.press('Enter')
  await expect(palette).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('My Orders')
  await expect(page.getByRole('searchbox').or(page.getByRole('textbox')).first()).toHaveValue(number)

  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.type('dark')
  await expect(palette.getByRole('option')).toHaveText(['Dark'])
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('on a phone, in German, a computer is found by its name; a search that fails says so', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, demo('ada'), '/de/account')
  await page.getByRole('button', { name: 'Suchen' }).click()
  const palette = page.getByRole('dialog', { name: 'Suchen' })
  const field = palette.getByRole('combobox')

  await page.route('**/account/search/**', (route) => route.fulfill({ status: 500, body: '' }))
  await field.fill('laptop')
  await expect(palette.getByRole('alert')).toBeVisible()
  // Whoever goes on typing loses nothing.
  await page.keyboard.type('s')
  await expect(field).toHaveValue('laptops')
  await page.unroute('**/account/search/**')
  // A computer with several products has an option for each.
  await field.fill('ADA-THINKPAD')
  await expect(palette.getByRole('option')).toHaveCount(4)
  await expect(palette.getByRole('option', { selected: true })).toHaveCount(1)
  // What one has is found by other words than the tab's name.
  await field.fill('Rechner')
  await expect(palette.getByRole('option', { name: 'Geräteverwaltung' })).toBeVisible()
  await field.fill('Was haben wir bezahlt?')
  await expect(palette.getByRole('option', { selected: true })).toHaveText('Meine Bestellungen')
  // A word too many finds what is nearest.
  await field.fill('Mein Passwort vergessen')
  await expect(palette).toContainText('Nichts enthält alle Wörter.')
  await expect(palette.getByRole('option', { selected: true })).toHaveText('Sicherheitseinstellungen')
  await expectAccessible(page)
  for (const question of ['Pia entfernen', 'Frau Moreau Pia']) {
    await field.fill(question)
    await expect(palette.getByRole('group', { name: 'Benutzer' }).getByRole('option').first()).toContainText(
      'pia@folio.test',
    )
  }
  await field.fill('LAPTO')
  const computer = palette.getByRole('group', { name: 'Geräte' }).getByRole('option').first()
  await expect(computer).toContainText('LAPTOP')
  await expectAccessible(page)
  await computer.click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Geräte')
  await expect.poll(() => page.url()).toContain(`${at.account}/de/account`)

  await page.getByRole('button', { name: 'Suchen' }).click()
  await field.fill('zzzz')
  await expect(palette).toContainText('Nichts gefunden.')
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)
})

test('on a phone, two presses answer what was paid last year, and four save its invoices', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, demo('grace'))
  const year = String(new Date().getUTCFullYear() - 1)
  await page.getByRole('button', { name: 'Search' }).click()
  const palette = page.getByRole('dialog', { name: 'Search' })
  await palette.getByRole('combobox').fill(`invoices ${year}`)
  await palette.getByRole('option', { name: `Orders of ${year}` }).click()

  await expect(page.getByRole('region', { name: `Paid in ${year}` })).toContainText('€')
  await page.getByRole('button', { name: 'Download All (ZIP)' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Save \(/ }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`orders-${year}.zip`)
})

test('what is typed while the palette still loads arrives in its field, and nowhere else', async ({ page }) => {
  await signIn(page, demo('ada'), '/account?tab=my-orders')
  await page.waitForLoadState('networkidle')
  const search = page.getByRole('searchbox').or(page.getByRole('textbox')).first()
  await search.focus()
  await page.route('**/assets/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('dev man')
  const palette = page.getByRole('dialog', { name: 'Search' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('a')
  await expect(palette.getByRole('combobox')).toHaveValue('dev mana')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Device Management')
  await page.goBack()
  await expect(search).toHaveValue('')
})

test('on a phone the field stays at the top, whatever is found', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, demo('ada'))
  await page.getByRole('button', { name: 'Search' }).click()
  const palette = page.getByRole('dialog', { name: 'Search' })
  const field = palette.getByRole('combobox')
  const placeOf = async () => Math.round((await field.boundingBox())?.y ?? -1)
  await expect(palette.getByRole('option', { name: 'My Orders' })).toBeVisible()
  const place = await placeOf()
  expect(place).toBeLessThan(100)
  await field.fill('zzzz')
  await expect(palette).toContainText('Nothing found.')
  expect(await placeOf()).toBe(place)
})
