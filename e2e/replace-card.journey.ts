import { cardFrame, typeCard } from './support/card-fields.ts'
import { addCard, cardsOnFile, cardsTab, expireCard, mastercard, visa } from './support/cards.ts'
import { at, expect, expectAccessible, signIn, test } from './support/journey.ts'

const dialogOf = (page: Parameters<typeof typeCard>[0]) =>
  page.getByRole('dialog', { name: /^Replace Visa ••••\s4242$/ })

/** Types another card of the United States into the dialog, and confirms. */
async function confirm(page: Parameters<typeof typeCard>[0]) {
  const button = dialogOf(page).getByRole('button', { name: 'Replace Card' })
  await expect(button).toBeEnabled()
  await typeCard(page, mastercard)
  await cardFrame(page).getByLabel('ZIP code').fill('94104')
  await button.click()
}

test('an expired default card is replaced in one dialog that says what will happen', async ({ page, guest }) => {
  await signIn(page, guest, cardsTab)
  await addCard(page, visa)
  await expireCard(guest.email)
  await page.reload()
  await cardsOnFile(page)
    .getByRole('button', { name: /^Replace Card: Visa/ })
    .click()
  await expect(dialogOf(page)).toContainText('This card will be your default')
  await expect(dialogOf(page)).toContainText(/Visa ••••\s4242 will be removed\./)
  await expect(dialogOf(page).getByRole('button', { name: 'Replace Card' })).toBeEnabled()
  await expectAccessible(page)
  await confirm(page)

  await expect(page.getByText('Credit Card replaced successfully.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(cardsOnFile(page)).toHaveText([/Mastercard ••••\s4444.*Default/s])
  await page.reload()
  await expect(cardsOnFile(page)).toHaveText([/Mastercard ••••\s4444.*Default/s])
})

test('a link for a card that is not on file opens the list only', async ({ page, guest }) => {
  await signIn(page, guest, cardsTab)
  await addCard(page, visa)
  await page.goto(`${at.account}${cardsTab}&dialog=replace&card=pm_none`)
  await expect(cardsOnFile(page)).toHaveCount(1)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a replacement that stops half-way says what was done, and is finished from there, by a link too', async ({
  page,
  guest,
}) => {
  await signIn(page, guest, cardsTab)
  await addCard(page, visa)
  const [card] = (await (await page.request.get(`${at.account}/account/cards/`)).json()).cardList
  await page.goto(`${at.account}${cardsTab}&dialog=replace&card=${card.id}`)
  await page.route('**/account/cards/pm_*/?*', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
  )
  await confirm(page)

  await expect(dialogOf(page).getByRole('alert')).toContainText(
    /Your new card is saved, but Visa ••••\s4242 has not been fully replaced yet\./,
  )
  await expectAccessible(page)
  await page.unroute('**/account/cards/pm_*/?*')
  await dialogOf(page).getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Credit Card replaced successfully.')).toBeVisible()
  await expect(cardsOnFile(page)).toHaveText([/Mastercard ••••\s4444.*Default/s])
  await expect(page).toHaveURL(`${at.account}${cardsTab}`)
})
