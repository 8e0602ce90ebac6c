import { bankOf, cardFrame, typeCard } from './support/card-fields.ts'
import {
  addCard,
  asking,
  cardsOnFile,
  cardsTab,
  declined,
  editOf,
  mastercard,
  openAdd,
  sendCard,
  visa,
} from './support/cards.ts'
import { choose, chosen, expect, expectAccessible, signIn, test } from './support/journey.ts'

test('the first wrong field has the focus; a decline is shown with a next step, and another card can be entered', async ({
  page,
  guest,
}) => {
  await signIn(page, guest, cardsTab)
  const dialog = await openAdd(page)
  await typeCard(page, declined)
  await dialog.getByRole('button', { name: 'Add Card' }).click()
  await expect(cardFrame(page).getByLabel('ZIP code')).toBeFocused()
  await sendCard(page, declined)
  await expect(dialog.getByRole('alert')).toContainText('Your card was declined. Please try another card')
  await expect(dialog.getByRole('alert')).toBeFocused()
  await expectAccessible(page)
  // Blurred fields report their state, but the card has not changed.
  await page.waitForTimeout(1000)
  await expect(dialog.getByRole('alert')).toBeVisible()

  for (const label of ['Card number', 'Expiration date', 'Security code'])
    await cardFrame(page).getByLabel(label).fill('')
  await typeCard(page, mastercard)
  await dialog.getByRole('button', { name: 'Add Card' }).click()
  await expect(editOf(page, '4444')).toBeVisible()
})

test('a failed edit keeps the form’s values, and shows the reason', async ({ page, guest }) => {
  await signIn(page, guest, cardsTab)
  await addCard(page, visa)
  await cardsOnFile(page).getByRole('button', { name: 'Edit: Visa •••• 4242' }).click()
  const edit = editOf(page, '4242')
  await choose(page, 'State', 'Kansas')
  await edit.getByRole('textbox', { name: 'City' }).fill('Topeka')
  const problem = { type: 'about:blank', title: '', status: 503, code: 'card_provider_unavailable', requestId: 'r-1' }
  await page.route('**/account/cards/pm_*/', (route) => route.fulfill({ status: 503, json: problem }), { times: 1 })
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByRole('alert')).toContainText('We cannot reach our payment provider right now.')
  await expect(edit.getByRole('textbox', { name: 'City' })).toHaveValue('Topeka')
  await expect(chosen(edit, 'State')).toHaveText('Kansas')

  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Credit Card updated successfully.')).toBeVisible()
})

test('a lost answer does not add a second card', async ({ page, guest }) => {
  await signIn(page, guest, cardsTab)
  await page.route(
    '**/account/cards/setup-intents/',
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
  const dialog = await openAdd(page)
  await sendCard(page, visa)
  await expect(dialog.getByRole('alert')).toContainText('We cannot reach our servers.')
  // The card cannot be changed while its outcome is unknown.
  await expect(cardFrame(page).getByLabel('Card number')).toBeDisabled()
  await dialog.getByRole('button', { name: 'Add Card' }).click()
  await expect(editOf(page, '4242')).toBeVisible()
  await page.reload()
  await expect(cardsOnFile(page)).toHaveCount(1)
})

test('Back does not leave the bank’s question, whose outcome is told in the dialog', async ({ page, guest }) => {
  await signIn(page, guest, '/account?tab=billing-address-management')
  await page.getByRole('link', { name: 'Payment Option' }).click()
  const dialog = await openAdd(page)
  await sendCard(page, asking)
  await expect(bankOf(page).refuse).toBeVisible()
  await page.goBack()
  await bankOf(page).refuse.click()
  await expect(dialog.getByRole('alert')).toContainText('Your bank could not confirm that it is you.')

  await sendCard(page, asking)
  await expect(bankOf(page).approve).toBeVisible()
  await page.goBack()
  await bankOf(page).approve.click()
  await expect(page.getByText('Your card is on file.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(cardsOnFile(page)).toHaveText([/Visa ••••\s3184.*Default/s])
})

test('a card that was added is reported as such, even if the list cannot be loaded', async ({ page, guest }) => {
  await signIn(page, guest, cardsTab)
  await openAdd(page)
  let fails = true
  await page.route('**/account/cards/', (route) =>
    fails && route.request().method() === 'GET' ? route.fulfill({ status: 503 }) : route.continue(),
  )
  await sendCard(page, visa)
  await expect(page.getByText('Your card is on file.')).toBeVisible()
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await expect(page.getByText('No cards yet.')).toHaveCount(0)

  const again = page.getByRole('button', { name: 'Try again' })
  const title = page.getByRole('heading', { level: 1 })
  await again.click()
  await expect(title).toBeFocused()
  await expect(again).toBeEnabled()
  fails = false
  await again.click()
  await expect(cardsOnFile(page)).toHaveText([/Visa ••••\s4242.*Default/s])
  await expect(title).toBeFocused()
})

test('an unreachable provider is reported in place, and can be retried', async ({ page, guest }) => {
  const problem = { type: 'about:blank', title: '', status: 503, code: 'card_provider_unavailable', requestId: 'r-1' }
  await page.route('**/account/cards/', (route) => route.fulfill({ status: 503, json: problem }))
  await signIn(page, guest, cardsTab)
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'We cannot reach our payment provider right now. Please try again in a moment.',
  )
  await page.unroute('**/account/cards/')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No cards yet.')).toBeVisible()

  // The script loads, but the frames of the fields do not.
  await page.route('**/cards/js/endive/element**', (route) => route.abort())
  await page.getByRole('button', { name: 'Add Credit Card' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('The card form could not be loaded.')
  await page.unroute('**/cards/js/endive/element**')
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Add Card' })).toBeEnabled()
})

test('a rate limit of the provider is reported in our words, and the next try works', async ({ page, guest }) => {
  await signIn(page, guest, cardsTab)
  const dialog = await openAdd(page)
  const error = {
    type: 'invalid_request_error',
    code: 'rate_limit',
    message: 'Too many requests hit the API too quickly.',
  }
  await page.route('**/v1/payment_methods', (route) => route.fulfill({ status: 429, json: { error } }), { times: 1 })
  await sendCard(page, visa)
  await expect(dialog.getByRole('alert')).toContainText('We cannot reach our payment provider right now.')

  await dialog.getByRole('button', { name: 'Add Card' }).click()
  await expect(editOf(page, '4242')).toContainText('Your card is on file.')
})

test('a provider script that does not load is reported in place, without a connection as that', async ({
  page,
  context,
  guest,
}) => {
  await signIn(page, guest, cardsTab)
  await page.route('**/stripe.js', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Add Credit Card' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Credit Card' })
  await expect(dialog.getByRole('alert')).toContainText(/could not be loaded\..*our payment provider/)
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Check your connection')
  await context.setOffline(false)
  await expect(dialog.getByRole('button', { name: 'Add Card' })).toBeEnabled()
})
