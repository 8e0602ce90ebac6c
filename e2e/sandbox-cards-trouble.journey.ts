import type { Page } from '@playwright/test'
import {
  bankOf,
  cardFrame,
  expectAccessibleFrames,
  frameWith,
  openMerchant,
  openWith,
  problemOf,
  reload,
  resultOf,
  saveCard,
  toldOf,
  typeCard,
} from './support/card-fields.ts'
import { expect, expectNoSidewaysScroll } from './support/journey.ts'
import { test } from './support/merchant.ts'

const visa = ['4242424242424242', '1230', '123'] as const
const unreachable = {
  type: 'api_connection_error',
  message:
    'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
}

test('a declined card, or one that is not a test card, is refused with a message', async ({ page, merchant }) => {
  await openWith(page, merchant, ['4000000000000002', '1230', '123'])
  await saveCard(page)

  await expect(problemOf(page)).toContainText('"type":"card_error"')
  await expect(problemOf(page)).toContainText('"code":"card_declined"')
  await expect(problemOf(page)).toContainText('Your card was declined.')

  await cardFrame(page).getByLabel('Card number').fill('4111111111111111')
  await saveCard(page)
  await expect(problemOf(page)).toContainText('"decline_code":"test_mode_live_card"')
})

test('an API that cannot be reached is an error like any other, and the next try works', async ({ page, merchant }) => {
  await openWith(page, merchant, visa)
  await page.route(`${merchant.provider}/v1/**`, (route) => route.abort())
  await saveCard(page)
  await expect(problemOf(page)).toHaveText(JSON.stringify(unreachable))

  await page.unroute(`${merchant.provider}/v1/**`)
  await page.route(`${merchant.provider}/v1/**`, (route) => route.fulfill({ body: '<h1>One moment</h1>' }), {
    times: 1,
  })
  await saveCard(page)
  await expect(problemOf(page)).toHaveText(JSON.stringify(unreachable))

  await saveCard(page)
  await expect(resultOf(page)).toContainText('"status":"succeeded"')
})

test('a frame that does not load is reported to the merchant', async ({ page, merchant }) => {
  await page.route(`${merchant.provider}/cards/js/**/element`, (route) => route.abort())
  await openMerchant(page, merchant)
  await expect
    .poll(async () => (await toldOf(page)).events)
    .toContainEqual({ name: 'loaderror', event: { elementType: 'payment', error: unreachable } })
  await saveCard(page)
  await expect(problemOf(page)).toHaveText(JSON.stringify(unreachable), { timeout: 5000 })
})

test('a frame that stops answering times out', async ({ page, merchant }) => {
  await openWith(page, merchant, visa)
  const frame = frameWith(page, 'element')
  const address = frame.url()
  await frame.goto('about:blank')
  await saveCard(page)
  await expect(problemOf(page)).toHaveText(JSON.stringify(unreachable))

  await saveCard(page)
  await expect(problemOf(page)).toBeEmpty()
  await frame.goto(address)
  await expect(problemOf(page)).toHaveText(JSON.stringify(unreachable), { timeout: 5000 })
})

const ways = [
  (page: Page) => reload(frameWith(page, 'element')),
  (page: Page) => page.locator('.__PrivateStripeElement').evaluate((moved) => moved.parentElement?.append(moved)),
]

test('a reloaded frame is empty, reports that, and can be filled in again', async ({ page, merchant }) => {
  for (const loadAgain of ways) {
    await openWith(page, merchant, visa)
    await loadAgain(page)
    await expect(cardFrame(page).getByLabel('Card number')).toHaveValue('')
    const event = { elementType: 'payment', empty: true, complete: false, collapsed: false, value: { type: 'card' } }
    const { events } = await toldOf(page)
    expect(events.findLast(({ name }) => name === 'change')).toEqual({ name: 'change', event })

    await saveCard(page)
    await expect(problemOf(page)).toContainText('"code":"incomplete_number"')
    await typeCard(page, visa)
    await saveCard(page)
    await expect(resultOf(page)).toContainText('"status":"succeeded"')
  }
})

test('a hidden frame that crashes, is removed or reloaded fails one try only', async ({ page, merchant }) => {
  const calls = `${merchant.provider}/v1/**`
  await page.clock.install()
  for (const isDead of [false, true]) {
    await openWith(page, merchant, visa)
    await page.route(calls, () => undefined)
    await Promise.all([page.waitForRequest(calls), saveCard(page)])
    const hidden = frameWith(page, 'controller')
    if (isDead) {
      await hidden.goto('about:blank')
      await page.clock.fastForward('01:00')
    } else await reload(hidden)
    await expect(problemOf(page)).toHaveText(JSON.stringify(unreachable))

    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await saveCard(page)
    await expect(resultOf(page)).toContainText('"status":"succeeded"')
  }
  await page.locator('body > iframe').evaluate((hidden) => hidden.remove())
  await saveCard(page)
  await expect(problemOf(page)).toHaveText(JSON.stringify(unreachable), { timeout: 5000 })
  await saveCard(page)
  await expect(resultOf(page)).toContainText('"status":"succeeded"')
})

test('the bank’s question is shown again when its frame is reloaded', async ({ page, merchant }) => {
  await openWith(page, merchant, ['4000002760003184', '1230', '123'])
  await saveCard(page)
  const { approve } = bankOf(page)
  await expect(approve).toBeVisible()
  await reload(frameWith(page, 'challenge'))
  await approve.click()
  await expect(resultOf(page)).toContainText('"status":"succeeded"')
})

test('the fields use the page’s colors and language', async ({ page, merchant }) => {
  const appearance = {
    theme: 'night',
    variables: { colorBackground: '#1d1b18', colorText: '#ece9e2', colorPrimary: '#a9b6ff', borderRadius: '8px' },
    rules: { '.Label': { fontWeight: '600' }, '.Input': { position: 'fixed' }, 'body, .Label': { color: 'red' } },
  }
  await openMerchant(page, merchant, { dark: '1', options: JSON.stringify({ appearance, locale: 'de' }) })
  const number = cardFrame(page, 'Sicherer Eingaberahmen für Zahlungen').getByLabel('Kartennummer')
  await expect(number).toHaveCSS('background-color', 'rgb(29, 27, 24)')
  await expect(number).toHaveCSS('color', 'rgb(236, 233, 226)')
  await expect(number).toHaveCSS('border-radius', '8px')
  await expect(number).toHaveCSS('position', 'static')
  const label = cardFrame(page, 'Sicherer Eingaberahmen für Zahlungen').getByText('Kartennummer')
  await expect(label).toHaveCSS('font-weight', '600')
  await expect(label).toHaveCSS('color', 'rgb(236, 233, 226)')
  await number.fill('4242')
  await number.blur()
  await expect(
    cardFrame(page, 'Sicherer Eingaberahmen für Zahlungen').getByText('Die Kartennummer ist unvollständig.'),
  ).toBeVisible()
  await expectAccessibleFrames(page)

  await page.evaluate(() => window.merchant.elements?.update({ locale: 'ja', appearance: { theme: 'stripe' } }))
  const inJapanese = cardFrame(page, '安全な支払い入力フレーム').getByLabel('カード番号')
  await expect(inJapanese).toHaveValue('4242')
  await expect(inJapanese).toHaveCSS('background-color', 'rgb(255, 255, 255)')
})

test('at 320 pixels everything is visible without horizontal scrolling', async ({ page, merchant }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  for (const family of ['payment', 'card', 'split']) {
    await openMerchant(page, merchant, { family })
    await expect.poll(async () => (await toldOf(page)).events.map(({ name }) => name)).toContain('ready')
    for (const frame of page.frames()) {
      await expectNoSidewaysScroll(frame)
    }
  }
})

test('disabled fields are not shown, and the merchant must pass their values', async ({ page, merchant }) => {
  await openMerchant(page, merchant, {
    payment: JSON.stringify({ fields: { billingDetails: 'never' }, terms: { card: 'never' } }),
  })
  await typeCard(page, visa)
  await expect(cardFrame(page).getByLabel('Country')).toBeHidden()
  await expect(cardFrame(page).getByText('By providing')).toBeHidden()

  const [missing, made] = await page.evaluate(async () => {
    const { stripe: loading, elements } = window.merchant
    const stripe = await loading
    if (!stripe || !elements) return []
    await elements.submit()
    const address = { line1: 'Main St 1', line2: '', city: 'Berlin', state: '', country: 'DE', postal_code: '10117' }
    const billing_details = { name: 'Gesa', email: '', phone: '', address }
    return [
      await stripe.createPaymentMethod({ elements }).catch((error: Error) => error.message),
      await stripe.createPaymentMethod({ elements, params: { billing_details } }),
    ]
  })
  expect(missing).toContain('You specified "never" for fields.billing_details.name')
  expect(made).toMatchObject({
    paymentMethod: {
      card: { last4: '4242' },
      billing_details: { name: 'Gesa', address: { country: 'DE', city: 'Berlin' } },
    },
  })
})

test('incorrect use throws an error for the developer', async ({ page, merchant }) => {
  await openWith(page, merchant, visa)
  const said = await page.evaluate(async () => {
    const { stripe: loading, elements } = window.merchant
    const stripe = await loading
    if (!stripe || !elements || !window.Stripe) return []
    const saidBy = async (act: () => unknown) => {
      try {
        return await act()
      } catch (error) {
        return error instanceof Error ? `${error.name}: ${error.message}` : error
      }
    }
    const construct = window.Stripe
    return [
      await saidBy(() => construct('')),
      await saidBy(() => construct('sk_test_secret')),
      await saidBy(() => elements.create('payment')),
      await saidBy(() => elements.create('card')),
      await saidBy(() => stripe.elements().create('payment')),
      await saidBy(() => stripe.elements({ mode: 'setup' }).create('card').mount('#nowhere')),
      await saidBy(() => stripe.createPaymentMethod({ elements })),
      await saidBy(() => stripe.createPaymentMethod({ elements: stripe.elements({ mode: 'setup' }) })),
      await saidBy(() => stripe.createPaymentMethod({ type: 'card', card: stripe.elements().create('card') })),
    ]
  })
  const parts = [
    'publishable key',
    'secret key',
    'Can only create one Element of type payment',
    'Cannot create an Element of type card after',
    'you must pass a clientSecret or mode',
    'applies to no DOM elements',
    'elements.submit() must be called before',
    "paymentMethodCreation: 'manual'",
    'still mounted',
  ]
  expect(said).toEqual(
    parts.map((part) => expect.stringMatching(`^IntegrationError: .*${part.replaceAll(/[()]/g, '\\$&')}`)),
  )
})
