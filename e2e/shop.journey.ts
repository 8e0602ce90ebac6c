import type { Locator, Page } from '@playwright/test'
import {
  addCard,
  cardsOnFile,
  cardsTab,
  expireCard,
  failFirstPayment,
  mastercard,
  openMenu,
  sendCard,
} from './support/cards.ts'
import { at, expect, expectAccessible, test } from './support/journey.ts'
import { query } from './support/lists.ts'
import { buyInShop, expectSubscription, openAddSeats, payInvoice, product } from './support/shop.ts'

/** The order is completed, and its invoice can be downloaded. */
async function expectInvoice(page: Page) {
  await page.goto(`${at.account}/account?tab=my-orders`)
  const row = page.getByRole('table', { name: 'Online orders' }).locator('tbody tr')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText(product)
  const download = page.waitForEvent('download')
  await row.getByRole('button', { name: /^Download/ }).click()
  expect((await download).suggestedFilename()).toMatch(/^invoice-INV-\d+\.pdf$/)
}

/** What is not a whole number of at least 1 becomes one; above the most, Volume Discount takes the dialog's place. */
async function tryQuantities(page: Page, seats: Locator) {
  for (const [typed, quantity] of [
    ['-3', '1'],
    ['abc', '1'],
    ['2.5', '2'],
  ] as const) {
    await seats.fill(typed)
    await seats.blur()
    await expect(seats).toHaveValue(quantity)
  }
  await seats.fill('100')
  const volume = page.getByRole('dialog', { name: 'Volume Discount' })
  await expect(volume).toContainText('Ask us for a volume discount')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expectAccessible(page)
  await volume.getByRole('button', { name: 'No,thanks' }).click()
  await expect(seats).toHaveValue(/^[12]\d$/)

  await seats.fill('100')
  await volume.getByRole('button', { name: 'Request Quote' }).click()
  const quote = page.getByRole('dialog', { name: /quote/i })
  await expect(quote.getByRole('textbox', { name: 'Seats' })).toHaveValue('100')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await quote.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await openAddSeats(page)
}

test('bought with PayPal in the vendor’s shop: the subscription and its invoice are in the account', async ({
  page,
  guest,
}) => {
  await buyInShop(page, guest, { button: 'Buy with PayPal' })
  await page.locator('button[value="approve"]').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you')
  await expectAccessible(page)

  await expectSubscription(page, guest, '1 / 3', 'Annual billed monthly', 'Active', 'Renews on')
  await expectInvoice(page)

  // One more seat, in PayPal's window: first canceled there, then approved.
  const { dialog, row } = await openAddSeats(page, 'Continue to PayPal')
  await expect(dialog).toContainText('Nothing is charged before.')
  await dialog.getByRole('button', { name: /^Continue to PayPal/ }).click()
  const paypal = page.getByRole('dialog', { name: 'Pay with PayPal' })
  const button = paypal.frameLocator('iframe').getByRole('button')
  await expect(button).toBeVisible()
  await expectAccessible(page)
  const [closed] = await Promise.all([page.waitForEvent('popup'), button.click()])
  await closed.getByRole('button', { name: 'Cancel and return' }).click()
  await expect(paypal).toContainText('You canceled the payment. Nothing was charged.')
  await paypal.getByRole('button', { name: 'I have paid: check again' }).click()
  await expect(paypal).toContainText('the payment is not approved yet')
  const [popup] = await Promise.all([page.waitForEvent('popup'), button.click()])
  await popup.locator('button[value="approve"]').click()
  const almost = page.getByRole('dialog', { name: 'You are almost there!' })
  await expect(almost).toContainText('was charged')
  await expectAccessible(page)
  await expect(row).toContainText('1 / 4')

  // PayPal bills it from the next cycle on, once it is confirmed there.
  await almost.getByRole('button', { name: 'CONTINUE TO VERIFY' }).click()
  await page.locator('button[value="approve"]').click()
  await expect(row).toContainText('1 / 4')
  await expect(row.getByRole('button', { name: 'Confirm renewal' })).toHaveCount(0)

  // Another one on PayPal's page: without funds nothing changes, and a new try has a new price.
  const second = await openAddSeats(page, 'Continue to PayPal')
  await second.dialog.getByRole('button', { name: /^Continue to PayPal/ }).click()
  await paypal.getByRole('button', { name: 'Open PayPal in this window' }).click()
  await page.locator('button[value="no-funds"]').click()
  await expect(page.getByRole('dialog')).toContainText('PayPal could not take the payment, so nothing was charged.')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  // It stays closed, and PayPal is not asked again.
  await expect.poll(() => query(page)).toEqual({ tab: 'my-subscriptions' })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.waitForLoadState('networkidle')
  await expect.poll(() => query(page)).toEqual({ tab: 'my-subscriptions' })
  await expect(row).toContainText('1 / 4')
  const third = await openAddSeats(page, 'Continue to PayPal')
  await third.dialog.getByRole('button', { name: /^Continue to PayPal/ }).click()
  await paypal.getByRole('button', { name: 'Open PayPal in this window' }).click()
  await page.getByRole('button', { name: 'Cancel and return' }).click()
  await expect(paypal).toContainText('You canceled the payment. Nothing was charged.')
  await paypal.getByRole('button', { name: 'Close' }).last().click()
  const fourth = await openAddSeats(page, 'Continue to PayPal')
  await expect(fourth.dialog).toContainText('still waits for your approval at PayPal')
  await fourth.dialog.getByRole('button', { name: /^Continue to PayPal/ }).click()
  await paypal.getByRole('button', { name: 'Open PayPal in this window' }).click()
  await page.locator('button[value="approve"]').click()
  await expect(almost).toBeVisible()
  await almost.getByRole('button', { name: 'Close' }).last().click()
  await expect(row).toContainText('1 / 5')
  await page.goto(`${at.account}/account?tab=my-orders`)
  await expect(page.getByRole('table', { name: 'Online orders' }).locator('tbody tr')).toHaveCount(3)
})

test('back from PayPal: what it says is applied, the address is cleaned, and a failure can be tried again', async ({
  page,
  guest,
}) => {
  await buyInShop(page, guest, { button: 'Buy with PayPal' })
  await page.locator('button[value="approve"]').click()
  await expectSubscription(page, guest, 'Active')
  const row = page.getByRole('table', { name: 'Online subscriptions' }).locator('tbody tr')
  const manage = await row.getByRole('link', { name: /^Manage/ }).getAttribute('href')
  const id = new URL(manage ?? '', at.account).searchParams.get('subId')
  const list = `${at.account}/account?tab=my-subscriptions`
  const applied = '**/account/paypal-add-license/**'

  await page.route(applied, (route) => route.abort())
  await page.goto(`${list}&stripe_subscription_id=${id}&discount_biz_type=upgrade`)
  await expect(page.getByRole('alert')).toContainText('We couldn’t check with PayPal yet')
  await expect.poll(() => new URL(page.url()).searchParams.get('stripe_subscription_id')).toBe(id)
  await expectAccessible(page)
  await page.unroute(applied)
  const said = page.waitForResponse(/paypal-add-license/)
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(await (await said).json()).toMatchObject({ status: 'active', paypalRenewConfirm: 0 })
  await expect(page).toHaveURL(list)
  await expect(row).toHaveCount(1)

  // Somebody else's, or one that nobody has, needs no word.
  await page.goto(`${list}&stripe_subscription_id=I-NOBODYSOWN00`)
  await expect(page).toHaveURL(list)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('bought by card in the vendor’s shop: the subscription and its invoice are in the account', async ({
  page,
  guest,
}) => {
  await buyInShop(page, guest, { button: 'Buy by card', seats: '2' })
  await payInvoice(page, '4242424242424242')
  await expect(page.getByText('Paid')).toBeVisible()

  await expectSubscription(page, guest, '1 / 2', 'Annual billed monthly', 'Active', 'Renews on')
  await expectInvoice(page)

  // Two more seats: what is shown is charged, and there at once.
  const { dialog, row } = await openAddSeats(page)
  await expect(dialog.getByRole('textbox', { name: 'Seats to add' })).toHaveValue('1')
  const seats = dialog.getByRole('textbox', { name: 'Seats to add' })
  await tryQuantities(page, seats)
  await seats.fill('2')
  await expect(dialog).toContainText('4 seats')
  // Unit price times quantity, to two decimals, before what is due now.
  await expect(dialog.locator('dl > div').first()).toContainText(/\$\d+\.\d\d × 2.*\$\d+\.\d\d$/)
  await expectAccessible(page)
  const pay = dialog.getByRole('button', { name: /^Pay / })

  // A coupon: why one cannot be used, and what one takes off. Enter in its field pays nothing.
  await dialog.getByRole('button', { name: 'Use a coupon' }).click()
  await dialog.getByRole('textbox', { name: 'Coupon code' }).fill('summer')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('This coupon has expired.')
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Coupon code' }).fill('thanks20')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(dialog).toContainText('Discount (THANKS20)')
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Coupon code' }).fill('summer')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('This coupon has expired.')
  await expect(dialog).not.toContainText('Discount (')
  await dialog.getByRole('textbox', { name: 'Coupon code' }).fill('thanks20')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(dialog).toContainText('Discount (THANKS20)')

  // Another card, without leaving: the bank declines it, and nothing has changed.
  await dialog.getByRole('button', { name: 'Add a card' }).click()
  await sendCard(page, ['4000000000000341', '1234', '123'])
  await expect(dialog.getByRole('combobox', { name: 'Pay with' }).locator('option:checked')).toContainText('0341')
  await expect(dialog).toContainText('Discount (THANKS20)')
  await expect(dialog).toContainText('4 seats')
  await pay.click()
  await expect(dialog.getByRole('alert')).toContainText('Your card was declined.')
  await dialog.getByRole('combobox', { name: 'Pay with' }).selectOption({ label: 'Visa ••••\u00a04242' })
  await expect(pay).toBeEnabled()

  const amount = ((await pay.textContent()) ?? '').replace('Pay ', '')
  await pay.click()
  const bought = page.getByRole('dialog', { name: 'Purchased Successfully!' })
  for (const text of ['Quantity added2', 'Subtotal', 'Discount', 'Tax', `Total charged${amount}`])
    await expect(bought).toContainText(text)
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await expect(row).toContainText('1 / 4')
  await page.goto(`${at.account}/account?tab=my-orders`)
  await expect(page.getByRole('table', { name: 'Online orders' }).locator('tbody tr').first()).toContainText(amount)

  // The subscription’s own card is removed: the default one pays instead.
  await page.goto(`${at.account}${cardsTab}`)
  await (await openMenu(page, '4242')).getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText(`This card pays for ${product}.`)
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove, and use my default card' }).click()
  await expect(cardsOnFile(page)).toHaveCount(1)
})

test('bought by card with the bank’s question: only after the answer it is in the account', async ({ page, guest }) => {
  await buyInShop(page, guest, { button: 'Buy by card' })
  await payInvoice(page, '4000002760003184')
  await page.getByRole('button', { name: 'Complete' }).click()

  await expectSubscription(page, guest, '1 / 3', 'Active', 'Renews on')
  await expectInvoice(page)

  // The bank asks again for another seat: refused, nothing changes, and it can be tried again.
  const { dialog, row } = await openAddSeats(page)
  await dialog.getByRole('button', { name: /^Pay / }).click()
  const bank = page.locator('dialog iframe').contentFrame().locator('iframe').contentFrame()
  await bank.getByRole('button', { name: 'Fail authentication' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(row).toContainText('1 / 3')
  await dialog.getByRole('button', { name: /^Pay / }).click()
  await bank.getByRole('button', { name: 'Complete authentication' }).click()
  await expect(page.getByRole('dialog', { name: 'Purchased Successfully!' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await expect(row).toContainText('1 / 4')

  // Left before the answer: the list says so, and it can be continued at the provider.
  await openAddSeats(page)
  await dialog.getByRole('button', { name: /^Pay / }).click()
  await expect(bank.getByRole('button', { name: 'Complete authentication' })).toBeVisible()
  await page.goto(`${at.account}/account?tab=my-subscriptions`)
  await expect(page.getByRole('main')).toContainText('The bank requires 3D Secure authentication for this payment')
  await expect(row).toContainText('1 / 4')
  const [question] = await Promise.all([
    page.waitForEvent('popup'),
    page
      .getByRole('link', { name: /^Pay \$.* now$/ })
      .first()
      .click(),
  ])
  await question.getByRole('button', { name: /^Pay / }).click()
  await question.getByRole('button', { name: 'Complete' }).click()
  await expect(question.getByText('Paid')).toBeVisible()
  await page.bringToFront()
  await expect(row).toContainText('1 / 5')

  // What is charged next month needs a card that is still valid then.
  await expireCard(guest.email)
  await page.reload()
  await expect(page.getByRole('main')).toContainText('Your card Visa ••••\u00a03184 has expired')
  await expect(page.getByRole('link', { name: 'Update card' })).toBeVisible()
  await expectAccessible(page)
})

test('a free trial from the vendor’s shop; its first payment fails, and another card pays it', async ({
  page,
  guest,
}) => {
  await buyInShop(page, guest, { button: 'Try it free for 14 days', seats: '1' })
  await expect(page.getByText('Your free trial has begun.')).toBeVisible()
  await expectSubscription(page, guest, 'Trial', 'Trial ends on')

  await failFirstPayment(guest.email)
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('main')).toContainText('Payment Failed', { timeout: 5000 })
  }).toPass()
  const main = page.getByRole('main')
  // The invoice that is open arrives by a webhook of its own, which may be later than the subscription's.
  await expect(async () => {
    await page.goto(`${at.account}${cardsTab}`)
    await expect(main).toContainText('You can also try Visa •••• 0341 again.', { timeout: 5000 })
  }).toPass()
  await addCard(page, mastercard)
  await expect(main).toContainText('Payment is taken from your default card. You can also try')
  await (await openMenu(page, '4444')).getByRole('menuitem', { name: 'Set as Default' }).click()
  const pay = page.getByRole('button', { name: /^Pay \$.* now$/ })
  await expect(pay).toBeVisible()
  await expectAccessible(page)
  await pay.click()
  await expect(page.getByText(`${product} continues.`)).toBeVisible()
  await expect(pay).toHaveCount(0)
  await page.goto(`${at.account}/account?tab=my-subscriptions`)
  await expect(page.getByRole('main')).toContainText('Renews on')
})
