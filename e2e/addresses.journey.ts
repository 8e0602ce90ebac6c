import { addBehind, addresses, box, cards, openAdd, openMenu, save } from './support/addresses.ts'
import { choose, chosen, expect, expectAccessible, expectNoSidewaysScroll, signIn } from './support/journey.ts'
import { demo } from './support/lists.ts'
import { test } from './support/shared-page.ts'

test('the first address becomes the default, in the profile’s name and country', async ({ page, guest }) => {
  await signIn(page, guest, addresses)
  await expect(page.getByText('No billing addresses yet.')).toBeVisible()
  await expectAccessible(page)
  const dialog = await openAdd(page)
  await expect(chosen(dialog, 'Country/Region')).toHaveText('Germany')
  await expect(dialog).toContainText(`${guest.firstName} ${guest.lastName} · ${guest.email}`)
  await expect(dialog).toContainText('Your first address becomes the default.')
  await expect(dialog.getByRole('checkbox')).toHaveCount(0)
  await choose(page, 'State/Province', 'Hamburg')
  await box(dialog, 'Zip').fill('20354')
  await save(page)
  await expect(cards(page)).toHaveText([/Default.*20354\s*Hamburg\s*Germany/s])
  await expect(cards(page).first()).toContainText(guest.email)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expectAccessible(page)
})

test('five countries, each address in its local format', async ({ page, guest }) => {
  await signIn(page, guest, addresses)
  await addBehind(page, ['10001'])
  await page.reload()
  for (const { country, state, address, city, zip } of [
    { country: 'United States', state: 'Massachusetts', address: '1 Federal Street', city: 'Boston', zip: '02110' },
    { country: 'Malaysia', state: 'Selangor', address: '8 Jalan Utara', city: 'Petaling Jaya', zip: '46200' },
    { country: 'Japan', state: 'Kyoto', address: '河原町通三条下ル 42', city: '京都市中京区', zip: '604-8006' },
    { country: 'Svalbard & Jan Mayen', state: '', address: 'Vei 500', city: 'Longyearbyen', zip: '9170' },
  ]) {
    const form = await openAdd(page)
    await choose(page, 'Country/Region', country)
    if (state) await choose(page, 'State/Province', state)
    else await expect(form.getByRole('combobox', { name: 'State/Province' })).toHaveCount(0)
    await box(form, 'Address').fill(address)
    await box(form, 'City').fill(city)
    await box(form, 'Zip').fill(zip)
    await save(page)
    await expect(page.getByRole('button', { name: 'Add Address' })).toBeFocused()
  }

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billing Address Management 5')
  await page.reload()
  await expect(cards(page)).toHaveText([
    /Default.*10001 Berlin\s*Germany/s,
    /Vei 500\s*9170 Longyearbyen\s*Svalbard & Jan Mayen/,
    /604-8006\s*Kyoto 京都市中京区\s*河原町通三条下ル 42\s*Japan/,
    /8 Jalan Utara\s*46200 Petaling Jaya\s*Selangor\s*Malaysia/,
    /1 Federal Street\s*Boston, Massachusetts 02110\s*United States/,
  ])
})

test('another country shows its states, with the first one selected, and its required fields', async ({
  page,
  guest,
}) => {
  await signIn(page, guest, addresses)
  const dialog = await openAdd(page)
  const state = dialog.getByRole('combobox', { name: 'State/Province' })
  await expect(state).toHaveValue('')
  await expect(box(dialog, 'Zip')).toHaveAttribute('aria-required', 'true')
  for (const label of ['Address', 'City']) await expect(box(dialog, label)).not.toHaveAttribute('aria-required')

  await choose(page, 'Country/Region', 'United States')
  await expect(chosen(dialog, 'State/Province')).toHaveText('Alabama')
  for (const label of ['Address', 'City']) await expect(box(dialog, label)).toHaveAttribute('aria-required', 'true')
  await choose(page, 'State/Province', 'Vermont')
  // A browser that fills in the form chooses the same country again.
  await choose(page, 'Country/Region', 'United States')
  await expect(chosen(dialog, 'State/Province')).toHaveText('Vermont')
  await choose(page, 'Country/Region', 'Japan')
  await expect(chosen(dialog, 'State/Province')).toHaveText('Aichi')
  await choose(page, 'Country/Region', 'Svalbard & Jan Mayen')
  await expect(state).toHaveCount(0)
  await choose(page, 'Country/Region', 'Germany')
  await expect(chosen(dialog, 'State/Province')).toHaveText('Baden-Württemberg')
  await box(dialog, 'Zip').fill('70173')
  await save(page)
  await expect(cards(page)).toContainText('Baden-Württemberg')
})

test('keyboard only: country, state and the rest can be entered', async ({ page, guest }) => {
  await signIn(page, guest, addresses)
  const dialog = await openAdd(page)
  await page.keyboard.type('canada')
  await expect(chosen(dialog, 'Country/Region')).toHaveText('Canada')
  await page.keyboard.press('Tab')
  await expect(chosen(dialog, 'State/Province')).toHaveText('Alberta')
  for (const typed of ['queb', '1 rue Buade', 'Québec', 'G1R 4A1']) {
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(cards(page)).toHaveText([/1 rue Buade\s*Québec, Quebec G1R 4A1\s*Canada/s])
})

test('a state field that disappears passes its focus on', async ({ page, reader }) => {
  await signIn(page, reader, addresses)
  await page.route('**/billing-addresses/form/**country=SJ**', async (route) => {
    await expect(dialog.getByRole('combobox', { name: 'State/Province' })).toBeFocused()
    await route.continue()
  })
  const dialog = await openAdd(page)
  await page.keyboard.type('svalbard')
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('combobox', { name: 'State/Province' })).toHaveCount(0)
  await expect(box(dialog, 'Address')).toBeFocused()
})

test('an address is edited and made the default in the same dialog', async ({ page, guest }) => {
  await signIn(page, guest, addresses)
  await addBehind(page, ['10001', '10002'])
  await page.reload()
  const edit = cards(page).filter({ hasText: '10002' }).getByRole('button', { name: 'Edit: 10002 Berlin, Germany' })
  await edit.click()
  const dialog = page.getByRole('dialog', { name: 'Edit Address' })
  await expect(chosen(dialog, 'State/Province')).toHaveText('Berlin')
  await box(dialog, 'Address').fill('Torstraße 140')
  await dialog.getByLabel('Use as default address').check()
  await expectAccessible(page)
  await save(page, 'Address modified successfully. Future invoices use this address.')
  await expect(cards(page)).toHaveText([/Default.*Torstraße 140\s*10002 Berlin/s, /10001 Berlin/])
  await expect(cards(page).last()).not.toContainText('Default')

  await page.getByRole('button', { name: /^Edit: Torstraße/ }).click()
  await expect(dialog).toContainText('To delete it, set another one as default first.')
  await expect(dialog.getByRole('checkbox')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /^Edit: Torstraße/ })).toBeFocused()
})

test('keyboard only: the default is set immediately, and the focus stays on its card', async ({ page, guest }) => {
  await signIn(page, guest, addresses)
  await addBehind(page, ['10001', '10002'])
  await page.reload()
  const other = cards(page).filter({ hasText: '10002' })
  await other.getByRole('button', { name: /^More actions/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Set as Default' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(other.getByRole('button', { name: /^More actions/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Set as Default' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Set as Default Success' })).toBeVisible()
  await expect(cards(page).first()).toContainText(/Default.*10002/s)
  await expect(cards(page).first().getByRole('button', { name: /^Edit/ })).toBeFocused()
  await page.reload()
  await expect(cards(page)).toHaveText([/Default.*10002/s, /10001/])
})

test('an address is deleted after a confirmation that shows it; the default cannot be deleted or made the default', async ({
  page,
  guest,
}) => {
  await signIn(page, guest, addresses)
  await addBehind(page, ['10001', '10002'])
  await page.reload()
  await expect(cards(page).first().getByRole('button')).toHaveText(['Edit'])
  const menu = await openMenu(page, '10002')
  await menu.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this address?' })
  await expect(dialog).toContainText(/10002 Berlin\s*Germany/)
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(
    cards(page)
      .last()
      .getByRole('button', { name: /^More actions/ }),
  ).toBeFocused()

  await (await openMenu(page, '10002')).getByRole('menuitem', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Address removed successfully.' })).toBeVisible()
  await expect(cards(page)).toHaveCount(1)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billing Address Management 1')
})

test('the eleventh is refused before the form opens, and by the server too', async ({ page, guest }) => {
  const sentence =
    'The number of billing addresses added exceeds the limit. Please delete or change an existing billing address.'
  await signIn(page, guest, addresses)
  const zips = Array.from({ length: 9 }, (_, index) => `1000${index}`)
  expect(new Set(await addBehind(page, zips))).toEqual(new Set([200]))
  await page.reload()
  const form = await openAdd(page)
  await choose(page, 'State/Province', 'Hamburg')
  await box(form, 'Zip').fill('20354')
  expect(await addBehind(page, ['10009', '10010'])).toEqual([200, 409])
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('alert')).toContainText(sentence)
  await expect(form.getByRole('alert')).toBeFocused()
  await expect(box(form, 'Zip')).toHaveValue('20354')
  await form.getByRole('button', { name: 'Cancel' }).click()

  await expect(cards(page)).toHaveCount(10)
  await page.getByRole('button', { name: 'Add Address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Address' })
  await expect(dialog).toContainText(sentence)
  await expect(dialog.getByRole('textbox')).toHaveCount(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('button', { name: 'Add Address' })).toBeFocused()
})

test('on a phone, dark and in German: cards, menu and sheet are accessible', async ({ page, guest }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await signIn(page, guest, `/de${addresses}`)
  await addBehind(page, ['10001', '10002'])
  await page.reload()
  await expect(cards(page).first()).toContainText(/Standard.*10001 Berlin\s*Deutschland/s)
  await expectAccessible(page)
  await cards(page)
    .last()
    .getByRole('button', { name: /^Weitere/ })
    .click()
  await expect(page.getByRole('menuitem', { name: 'Als Standard festlegen' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Löschen' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Abbrechen' }).click()
  await page.getByRole('button', { name: 'Adresse hinzufügen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Adresse hinzufügen' })
  await expect(chosen(dialog, 'Land/Region')).toHaveText('Deutschland')
  await dialog.getByRole('button', { name: 'Speichern' }).click()
  await expect(dialog.getByText('Bitte wählen Sie das Bundesland oder die Provinz aus.')).toBeVisible()
  await expectAccessible(page)
  await choose(page, 'Bundesland/Provinz', 'Sachsen')
  await expect(chosen(dialog, 'Bundesland/Provinz')).toHaveText('Sachsen')
  await expectNoSidewaysScroll(page)
})

test('six countries in Japanese, each address in its local format', async ({ page }) => {
  await signIn(page, demo('ada'), `/ja-jp${addresses}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('請求先住所の管理 6')
  await expect(cards(page).first()).toContainText(/デフォルト.*San Francisco, California 94107\s*アメリカ合衆国/s)
  await expect(cards(page).filter({ hasText: 'ドイツ' })).toContainText('10119 Berlin')
  await expectAccessible(page)
})
