import AxeBuilder from '@axe-core/playwright'
import { expect, expectAccessibleInBoth } from './support/journey.ts'
import { test } from './support/merchant.ts'
import { buttonOf, newSubscription, openCheckout, paypalOf } from './support/paypal.ts'

const subscription = (id: string) => `/v1/billing/subscriptions/${id}`

test('a buyer subscribes with the official React package, in a popup', async ({ page, merchant }) => {
  const checkout = await openCheckout(page, merchant, { style: '{"label":"subscribe"}' })
  await expect(checkout.button).toHaveAccessibleName('Subscribe with PayPal')
  await page.getByRole('button', { name: 'Switch off' }).focus()
  await page.keyboard.press('Shift+Tab')
  await expect(checkout.button).toBeFocused()

  const [popup] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
  await expect(popup.getByRole('heading', { name: 'Approve the subscription' })).toBeVisible()
  await expect(popup.getByText('$12.50 every month')).toBeVisible()
  await expectAccessibleInBoth(popup)
  const isClosed = popup.waitForEvent('close')
  // The popup may have closed before the press is reported.
  await popup
    .getByRole('button', { name: 'Subscribe now' })
    .press('Enter')
    .catch(() => isClosed)
  await isClosed

  const [id = ''] = checkout.made
  expect(await checkout.untilTold('approve')).toMatchObject({ subscriptionID: id, orderID: expect.any(String) })
  expect(await checkout.paypal.get(subscription(id))).toMatchObject({ status: 'ACTIVE' })
  expect(checkout.made).toHaveLength(1)
})

test('a buyer pays an order, whose capture then succeeds', async ({ page, merchant }) => {
  const checkout = await openCheckout(page, merchant, { what: 'order' })
  const [popup] = await Promise.all([page.waitForEvent('popup'), checkout.button.click()])
  await popup.getByRole('button', { name: 'Continue' }).click()

  const [id = ''] = checkout.made
  expect(await checkout.untilTold('approve')).toMatchObject({ orderID: id, payerID: expect.any(String) })
  expect(await checkout.paypal.post(`/v2/checkout/orders/${id}/capture`)).toMatchObject({ status: 'COMPLETED' })
})

test('canceling, or closing the popup, leaves the subscription waiting', async ({ page, merchant }) => {
  const checkout = await openCheckout(page, merchant)
  const [popup] = await Promise.all([page.waitForEvent('popup'), checkout.button.click()])
  await popup.getByRole('button', { name: 'Cancel and return' }).click()
  await checkout.untilTold('cancel')

  const [again] = await Promise.all([page.waitForEvent('popup'), checkout.button.click()])
  await expect(again.getByRole('button', { name: 'Subscribe now' })).toBeVisible()
  await again.close()
  await expect
    .poll(async () => (await checkout.told()).filter(({ name }: { name: string }) => name === 'cancel'))
    .toHaveLength(2)
  expect(checkout.made).toHaveLength(2)
  for (const id of checkout.made) {
    expect(await checkout.paypal.get(subscription(id))).toMatchObject({ status: 'APPROVAL_PENDING' })
  }
})

test('a second click returns to the open popup', async ({ page, merchant, context }) => {
  const checkout = await openCheckout(page, merchant)
  const [popup] = await Promise.all([page.waitForEvent('popup'), checkout.button.click()])
  await expect(popup.getByRole('button', { name: 'Subscribe now' })).toBeVisible()
  await checkout.button.click()
  await expect(page.frameLocator('iframe[title="PayPal"]').getByRole('status')).toContainText('another window')

  expect(context.pages()).toHaveLength(2)
  expect(checkout.made).toHaveLength(1)
})

test('where popups are blocked the page itself goes to the approval, and comes back', async ({ page, merchant }) => {
  await page.addInitScript(() => {
    window.open = () => null
  })
  const checkout = await openCheckout(page, merchant)
  await checkout.button.click()
  await page.getByRole('button', { name: 'Subscribe now' }).click()
  await page.waitForURL(`${merchant.origin}/?back=1&*`)

  const [id = ''] = checkout.made
  const back = new URL(page.url()).searchParams
  expect(back.get('subscription_id')).toBe(id)
  expect(back.get('ba_token')).toMatch(/^BA-/)
  expect(await checkout.paypal.get(subscription(id))).toMatchObject({ status: 'ACTIVE' })
})

test('a merchant that fails, or rejects the click, closes the popup', async ({ page, merchant }) => {
  const failing = await openCheckout(page, merchant, { fail: 'yes' })
  const [popup] = await Promise.all([page.waitForEvent('popup'), failing.button.click()])
  if (!popup.isClosed()) await popup.waitForEvent('close')
  expect(await failing.untilTold('error')).toContain('no stock')

  await page.goto(`${merchant.origin}/paypal?reject`)
  const [rejected] = await Promise.all([page.waitForEvent('popup'), buttonOf(page).click()])
  if (!rejected.isClosed()) await rejected.waitForEvent('close')
  const names = async () => (await failing.told()).map(({ name }: { name: string }) => name)
  await expect.poll(names).toEqual(['click'])
})

test('a client that the provider does not know gets no script', async ({ page, merchant }) => {
  await openCheckout(page, merchant, { client: 'unknown' })

  await expect(page.getByRole('alert')).toHaveText('The script was not loaded.')
})

test('the button has the style and the language that the merchant wants, and can be disabled', async ({
  page,
  merchant,
}) => {
  const style = JSON.stringify({ color: 'black', shape: 'pill', label: 'pay', height: 40 })
  const { button } = await openCheckout(page, merchant, { style, locale: 'de_DE', dark: 'yes' })
  await expect(button).toHaveAccessibleName('Mit PayPal bezahlen')
  await expect(button).toHaveCSS('border-radius', '55px')
  await expect(button).toHaveCSS('height', '40px')
  await expect(button).toHaveCSS('background-color', 'rgb(44, 46, 47)')
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id }) => id)).toEqual([])

  await page.getByRole('button', { name: 'Switch off' }).click()
  await expect(button).toBeDisabled()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await expect(button).toBeEnabled()
})

test('the control page is accessible, and takes funds away', async ({ page, merchant }) => {
  const paypal = await paypalOf(merchant.provider)
  const id = await newSubscription(paypal, `${merchant.origin}/back`)
  await page.goto(`${merchant.provider}/paypal`)
  const row = page.getByRole('row').filter({ hasText: id })
  await row.getByRole('button', { name: 'No funds' }).click()
  await expect(row.getByRole('button', { name: 'Funds again' })).toBeVisible()
  await expectAccessibleInBoth(page)

  await page.goto(`${merchant.provider}/paypal/objects/${id}`)
  await expect(page.getByText('"hasFunds": false')).toBeVisible()
})
