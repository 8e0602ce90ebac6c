import {
  cardFrame,
  expectAccessibleFrames,
  germany,
  openMerchant,
  problemOf,
  requestsWith,
  resultOf,
  saveCard,
  toldOf,
  typeCard,
} from './support/card-fields.ts'
import { expect } from './support/journey.ts'
import { test } from './support/merchant.ts'

const visa = ['4242424242424242', '1230', '123'] as const
const numberFrame = 'Secure card number input frame'

test('a card entered in the payment element is saved, and its number is sent to the provider only', async ({
  page,
  context,
  merchant,
}) => {
  const origins = requestsWith(context, visa[0])
  await openMerchant(page, merchant, { payment: germany })
  await typeCard(page, visa)
  await saveCard(page)

  await expect(resultOf(page)).toContainText('"status":"succeeded"')
  await expect(resultOf(page)).toContainText('"last4":"4242"')
  await expect(resultOf(page)).toContainText('"brand":"visa"')
  expect([...origins]).toEqual([merchant.provider])
  const { messages, events } = await toldOf(page)
  expect(messages.length).toBeGreaterThan(5)
  expect(JSON.stringify([messages, events]).replaceAll(' ', '')).not.toContain(visa[0])
})

test('the fields of the payment element show their faults, and are accessible', async ({ page, merchant }) => {
  await openMerchant(page, merchant)
  const frame = cardFrame(page)
  const number = frame.getByLabel('Card number')
  await number.pressSequentially('4242424242424241')
  await expect(frame.getByText('Your card number is invalid.')).toBeVisible()
  await expect(number).toHaveAttribute('aria-invalid', 'true')
  await expect(number).toHaveAccessibleDescription('Your card number is invalid.')
  await number.fill('4242')
  await expect(number).toHaveAttribute('aria-invalid', 'false')
  await frame.getByLabel('Expiration date').pressSequentially('1220')
  await expect(frame.getByText('Your card number is incomplete.')).toBeVisible()
  await expect(frame.getByText("Your card's expiration year is in the past.")).toBeVisible()

  await saveCard(page)
  await expect(problemOf(page)).toContainText('"code":"incomplete_number"')
  await expect(frame.getByText("Your card's security code is incomplete.")).toBeVisible()
  await expect(frame.getByText('Your postal code is incomplete.')).toBeVisible()
  await expect(number).toBeFocused()
  await expectAccessibleFrames(page)
})

const wrong = [
  [['4242424242424242', '1220', '123'], 'invalid_expiry_year_past', "Your card's expiration year is in the past."],
  [['4242424242424242', '12', '123'], 'incomplete_expiry', "Your card's expiration date is incomplete."],
  [['378282246310005', '1230', '123'], 'incomplete_cvc', "Your card's security code is incomplete."],
] as const

test('an invalid card never leaves its frame', async ({ page, context, merchant }) => {
  const origins = requestsWith(context, '4242424242424242')
  for (const [card, code, message] of wrong) {
    await openMerchant(page, merchant, { payment: germany })
    await typeCard(page, card)
    await saveCard(page)
    await expect(problemOf(page)).toHaveText(JSON.stringify({ type: 'validation_error', code, message }))
  }
  expect([...origins]).toEqual([])
})

test('the merchant’s page cannot read a frame’s values', async ({ page, merchant }) => {
  await openMerchant(page, merchant, { payment: germany })
  await typeCard(page, visa)
  const answers = await page.evaluate(async (provider) => {
    const heard: unknown[] = []
    for (const frame of document.querySelectorAll('iframe')) {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => heard.push(data)
      frame.contentWindow?.postMessage({ kind: 'collect', channel: frame.name }, provider, [port2])
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
    return heard
  }, merchant.provider)
  expect(answers).toEqual([])
})

test('split elements report their state to the merchant, and form one card', async ({ page, merchant }) => {
  await openMerchant(page, merchant, { family: 'split' })
  await page.getByText('Number', { exact: true }).click()
  await expect(cardFrame(page, numberFrame).getByLabel('Card number')).toBeFocused()
  await page.keyboard.type('378282246310005')
  await page.keyboard.press('Tab')
  await expect(cardFrame(page, 'Secure expiration date input frame').getByLabel('Expiration date')).toBeFocused()
  await page.keyboard.type('1230')
  await page.keyboard.press('Tab')
  await expect(cardFrame(page, 'Secure CVC input frame').getByLabel('Security code')).toBeFocused()
  await page.keyboard.type('1234')
  await expect(page.locator('#number')).toHaveClass(/StripeElement--complete/)
  await expect(page.locator('#code')).toHaveClass(/StripeElement--focus/)
  await page.keyboard.press('Enter')

  await expect(resultOf(page)).toContainText('"brand":"amex"')
  await expect(resultOf(page)).toContainText('"last4":"0005"')
  const { events } = await toldOf(page)
  expect(events).toContainEqual({ name: 'focus', event: { elementType: 'cardNumber' } })
  expect(events).toContainEqual({ name: 'blur', event: { elementType: 'cardNumber' } })
  expect(events).toContainEqual({
    name: 'change',
    event: { elementType: 'cardNumber', empty: false, complete: true, brand: 'amex' },
  })
  expect(events).toContainEqual({ name: 'change', event: { elementType: 'cardCvc', empty: false, complete: true } })
})

test('split elements leave error messages to the merchant', async ({ page, merchant }) => {
  await openMerchant(page, merchant, { family: 'split' })
  const number = cardFrame(page, numberFrame).getByLabel('Card number')
  await number.pressSequentially('4242424242424241')
  await expect(page.locator('#number')).toHaveClass(/StripeElement--invalid/)
  await expect(number).toHaveCSS('color', 'rgb(196, 48, 43)')
  await expect(number).toHaveAccessibleDescription('Your card number is invalid.')
  const error = { type: 'validation_error', code: 'invalid_number', message: 'Your card number is invalid.' }
  expect((await toldOf(page)).events).toContainEqual({
    name: 'change',
    event: { elementType: 'cardNumber', empty: false, complete: false, brand: 'visa', error },
  })

  await number.fill('4242424242424242')
  await saveCard(page)
  await expect(problemOf(page)).toContainText('"code":"incomplete_expiry"')
  await expect(page.locator('#code')).toHaveClass(/StripeElement--invalid/)
  await expectAccessibleFrames(page)
})

test('the card element is one row, and moves the focus between its fields automatically', async ({
  page,
  merchant,
}) => {
  await openMerchant(page, merchant, { family: 'card' })
  await cardFrame(page, 'Secure card payment input frame').getByLabel('Card number').focus()
  await page.keyboard.type('5555555555554444123012394107')
  // Its frame tells the merchant by message.
  await expect
    .poll(async () => (await toldOf(page)).events.at(-1))
    .toEqual({
      name: 'change',
      event: { elementType: 'card', empty: false, complete: true, brand: 'mastercard', value: { postalCode: '94107' } },
    })
  await saveCard(page)
  await expect(resultOf(page)).toContainText('"brand":"mastercard"')
})

test('a field is formatted during typing, editing and pasting', async ({ page, merchant }) => {
  await openMerchant(page, merchant)
  const number = cardFrame(page).getByLabel('Card number')
  await number.pressSequentially('42424')
  await expect(number).toHaveValue('4242 4')
  await page.keyboard.press('Backspace')
  await expect(number).toHaveValue('4242')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('99')
  await expect(number).toHaveValue('4299 42')
  await page.keyboard.type('1')
  await expect(number).toHaveValue('4299 142')

  const expiry = cardFrame(page).getByLabel('Expiration date')
  await expiry.pressSequentially('5')
  await expect(expiry).toHaveValue('05 / ')
  await page.keyboard.press('Backspace')
  await expect(expiry).toHaveValue('05')
  await expiry.fill('12/2031')
  await expect(expiry).toHaveValue('12 / 31')
  expect(await number.getAttribute('autocomplete')).toBe('cc-number')
  expect(await expiry.getAttribute('autocomplete')).toBe('cc-exp')
  expect(await cardFrame(page).getByLabel('Security code').getAttribute('autocomplete')).toBe('cc-csc')
})
