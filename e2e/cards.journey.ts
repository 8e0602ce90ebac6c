import { bankOf, cardFrame, escapeFrom, expectAccessibleFrames, requestsWith } from './support/card-fields.ts'
import {
  addBehind,
  addCard,
  asking,
  cardsOnFile,
  cardsTab,
  editOf,
  expireCard,
  openAdd,
  openCards,
  openMenu,
  putOnFile,
  sendCard,
  visa,
} from './support/cards.ts'
import { at, choose, chosen, expect, expectAccessible, signIn, test } from './support/journey.ts'

test('the first card is entered in the provider’s fields, is on file immediately as the default, and its dialog opens', async ({
  page,
  context,
  guest,
}) => {
  const told = requestsWith(context, visa[0])
  await signIn(page, guest, cardsTab)
  await expect(page.getByText('No cards yet.')).toBeVisible()
  await expectAccessible(page)

  const dialog = await openAdd(page)
  await expect(dialog).toContainText('You won’t be charged now.')
  await expect(dialog).toContainText('This card will be your default')
  await expectAccessibleFrames(page)
  await sendCard(page, visa)

  const edit = editOf(page, '4242')
  await expect(edit).toContainText('Your card is on file.')
  await expect(edit).toContainText('It is your default card')
  await expect(edit.getByRole('textbox', { name: 'First name' })).toHaveValue(guest.firstName)
  await expect(chosen(edit, 'Purchase location')).toHaveText('United States')
  await expect(edit.getByRole('textbox', { name: 'Zip' })).toHaveValue('94104')
  await expectAccessible(page)
  await choose(page, 'State', 'California')
  await edit.getByRole('textbox', { name: 'City' }).fill('San Francisco')
  await edit.getByRole('button', { name: 'Save' }).click()

  await expect(page.getByText('Credit Card updated successfully.')).toBeVisible()
  await expect(cardsOnFile(page)).toHaveText([
    /Visa ••••\s4242.*Default.*San Francisco, United States.*Expires 12\/2034/s,
  ])
  await page.reload()
  await expect(cardsOnFile(page)).toHaveText([/Visa ••••\s4242.*Default/s])
  // Its number was sent to the provider only.
  expect([...told]).toEqual([at.sandbox])
})

test('authentication: when completed, the card is on file; when failed or closed, it is not, and the form stays', async ({
  page,
  guest,
}) => {
  await signIn(page, guest, cardsTab)
  const dialog = await openAdd(page)
  await sendCard(page, asking)
  await bankOf(page).refuse.click()
  await expect(dialog.getByRole('alert')).toContainText('Your bank could not confirm that it is you.')
  await expect(cardFrame(page).getByLabel('Card number')).not.toHaveValue('')

  await dialog.getByRole('button', { name: 'Add Card' }).click()
  await expect(bankOf(page).approve).toBeVisible()
  await bankOf(page).close.click()
  await expect(dialog.getByRole('alert')).toBeVisible()

  await dialog.getByRole('button', { name: 'Add Card' }).click()
  await bankOf(page).approve.click()
  await expect(editOf(page, '3184')).toContainText('Your card is on file.')
  await page.reload()
  await expect(cardsOnFile(page)).toHaveText([/Visa ••••\s3184.*Default/s])
})

test('missing values are reported in the fields', async ({ page, guest }) => {
  await signIn(page, guest, cardsTab)
  const dialog = await openAdd(page)
  await dialog.getByRole('button', { name: 'Add Card' }).click()
  await expect(cardFrame(page).getByText('Your card number is incomplete.')).toBeVisible()
  await expect(cardFrame(page).getByLabel('Card number')).toBeFocused()
  await expect(dialog.locator('form > [role=alert]')).toHaveCount(0)
})

test('Escape closes the dialog from the provider’s fields too, and the focus goes back', async ({ page, guest }) => {
  await signIn(page, guest, cardsTab)
  const dialog = await openAdd(page)
  const number = cardFrame(page).getByLabel('Card number')
  await expect(number).toBeFocused()
  escapeFrom(number)
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('main').getByRole('button', { name: 'Add Credit Card' })).toBeFocused()
})

test('the edit dialog validates its fields, and only the United States has a state', async ({ page, guest }) => {
  await signIn(page, guest, cardsTab)
  await addCard(page, visa)
  await cardsOnFile(page).getByRole('button', { name: 'Edit: Visa •••• 4242' }).click()
  const edit = editOf(page, '4242')
  const state = edit.getByRole('combobox', { name: 'State' })
  await edit.getByRole('textbox', { name: 'Zip' }).fill('')
  await edit.getByRole('textbox', { name: 'First name' }).fill('x'.repeat(33))
  await edit.getByRole('button', { name: 'Save' }).click()
  for (const sentence of [
    'Please enter the state/province',
    'Please enter the city',
    'Please enter the zip',
    'Input character exceeds limit',
  ]) {
    await expect(edit.getByText(sentence)).toBeVisible()
  }
  await expectAccessible(page)

  await choose(page, 'Purchase location', 'Germany')
  await expect(state).toHaveCount(0)
  await edit.getByRole('combobox', { name: 'Purchase location' }).pressSequentially('united states')
  await page.keyboard.press('Tab')
  await expect(state).toBeFocused()
  await state.pressSequentially('kansas')
  await expect(chosen(edit, 'State')).toHaveText('Kansas')
  await choose(page, 'Purchase location', 'Germany')
  await edit.getByRole('textbox', { name: 'First name' }).fill('Gesine')
  await edit.getByRole('textbox', { name: 'City' }).fill('Hamburg')
  await edit.getByRole('textbox', { name: 'Zip' }).fill('20354')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Credit Card updated successfully.')).toBeVisible()
  await expect(cardsOnFile(page)).toHaveText([/Gesine.*Hamburg, Germany/s])
})

test('another card is made the default, and the previous one is removed', async ({ page, guest }) => {
  await putOnFile(guest.email)
  await addBehind(guest.email, 1, 'pm_card_mastercard')
  await openCards(page, guest, 2)
  // The default can neither be removed nor made the default.
  await expect(cardsOnFile(page).filter({ hasText: '4242' }).getByRole('button')).toHaveCount(1)

  await (await openMenu(page, '4444')).getByRole('menuitem', { name: 'Set as Default' }).click()
  await expect(page.getByText('Set as Default Success')).toBeVisible()
  await expect(cardsOnFile(page)).toHaveText([/4444.*Default/s, /4242/])

  await (await openMenu(page, '4242')).getByRole('menuitem', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove Visa •••• 4242?' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Credit Card removed successfully.')).toBeVisible()
  await expect(cardsOnFile(page)).toHaveText([/4444.*Default/s])
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Option Management 1')
})

test('an expired card shows what to do; as the default, above all cards', async ({ page, guest }) => {
  await putOnFile(guest.email)
  await addBehind(guest.email, 1, 'pm_card_mastercard')
  await expireCard(guest.email)
  await openCards(page, guest, 2)
  await expect(cardsOnFile(page).last()).toContainText(/Mastercard ••••\s4444.*Expires 02\/2024.*Expired/s)
  const warning = page.getByText('Your default card has expired, so renewals may fail.')
  await expect(warning).toHaveCount(0)

  await (await openMenu(page, '4444')).getByRole('menuitem', { name: 'Set as Default' }).click()
  await expect(warning).toBeVisible()
  // It is shown at once, and moves to the first place with the reply: a click in between would miss.
  await expect(cardsOnFile(page)).toHaveText([/4444.*Default/s, /4242/])
  await (await openMenu(page, '4444')).getByRole('menuitem', { name: 'Edit' }).click()
  await expect(editOf(page, '4444')).toContainText('This card has expired. Its expiry date can’t be changed')
  await expectAccessible(page)
})

test('with ten cards the limit is shown before the form opens', async ({ page, guest }) => {
  await putOnFile(guest.email)
  await addBehind(guest.email, 9)
  await openCards(page, guest, 10)
  await page.getByRole('main').getByRole('button', { name: 'Add Credit Card' }).click()
  await expect(page.getByRole('dialog')).toContainText(
    'The number of payment methods added exceeds the limit. Please delete or change an existing payment method.',
  )
})

test('on a phone, in German, in the dark', async ({ page, guest }) => {
  await page.setViewportSize({ width: 375, height: 760 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await signIn(page, guest, `/de${cardsTab}`)
  await page.getByRole('main').getByRole('button', { name: 'Kreditkarte hinzufügen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Kreditkarte hinzufügen' })
  await expect(dialog.getByRole('button', { name: 'Karte hinzufügen' })).toBeEnabled()
  await expectAccessibleFrames(page)
  const fields = dialog.locator('iframe').first().contentFrame()
  await fields.getByRole('textbox').nth(0).pressSequentially('4000002760003184')
  await fields.getByRole('textbox').nth(1).pressSequentially('1234')
  await fields.getByRole('textbox').nth(2).pressSequentially('123')
  await fields.getByRole('combobox', { name: 'Land' }).selectOption('DE')
  await dialog.getByRole('button', { name: 'Karte hinzufügen' }).click()
  const bank = page.locator('dialog iframe').contentFrame().locator('iframe').contentFrame()
  await bank.getByRole('button', { name: 'Complete authentication' }).click()

  const edit = page.getByRole('dialog', { name: 'Visa •••• 3184 bearbeiten' })
  await expect(edit).toContainText('Ihre Karte ist hinterlegt.')
  await expectAccessible(page)
  await edit
    .getByRole('textbox', { name: 'Stadt' })
    .or(edit.getByRole('textbox', { name: 'Ort' }))
    .fill('Hamburg')
  await edit.getByRole('textbox', { name: /^(PLZ|Postleitzahl)/ }).fill('20354')
  await edit.getByRole('button', { name: 'Speichern' }).click()
  await expect(page.getByText('Kreditkarte erfolgreich aktualisiert.')).toBeVisible()
  await expect(cardsOnFile(page)).toHaveText([/Visa ••••\s3184/])
  await expectAccessible(page)
})
