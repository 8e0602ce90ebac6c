import type { Page } from '@playwright/test'
import {
  bankOf,
  escapeFrom,
  expectAccessibleFrames,
  germany,
  openMerchant,
  problemOf,
  resultOf,
  saveCard,
  typeCard,
} from './support/card-fields.ts'
import { expect } from './support/journey.ts'
import { type Merchant, test } from './support/merchant.ts'

const asksAlways = ['4000002760003184', '1230', '123'] as const
const failure = {
  type: 'invalid_request_error',
  code: 'setup_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

/** Enters a card that requires authentication, and waits for the bank's question. */
async function askedFor(page: Page, merchant: Merchant) {
  await openMerchant(page, merchant, { payment: germany })
  await typeCard(page, asksAlways)
  await saveCard(page)
  const bank = bankOf(page)
  await expect(bank.approve).toBeVisible()
  return bank
}

/** The provider's object after a failed attempt: an intent that waits for another card. */
async function expectFailure(page: Page, { api }: Merchant) {
  await expect(problemOf(page)).toContainText('setup_intent_authentication_failure')
  const { setup_intent: intent, ...error } = JSON.parse((await problemOf(page).textContent()) ?? '')
  expect(error).toMatchObject(failure)
  expect(await api(`setup_intents/${intent.id}`)).toMatchObject({ status: 'requires_payment_method' })
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('the bank’s question is shown over the page, and the card is saved once it is answered', async ({
  page,
  merchant,
}) => {
  const bank = await askedFor(page, merchant)
  await expect(bank.close).toBeFocused()
  await expectAccessibleFrames(page, 2)
  await bank.approve.click()

  await expect(resultOf(page)).toContainText('"status":"succeeded"')
  await expect(resultOf(page)).toContainText('"last4":"3184"')
  await expect(bank.dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Save card' })).toBeFocused()
})

const closings: readonly ((page: Page, bank: ReturnType<typeof bankOf>) => Promise<void> | void)[] = [
  (_page, { refuse }) => refuse.click(),
  (_page, { close }) => close.click(),
  (_page, { close }) => escapeFrom(close),
  (_page, { approve }) => escapeFrom(approve),
  (page) => page.mouse.click(5, 5),
]

test('a question that is declined, or closed in any way, counts as failed', async ({ page, merchant }) => {
  const bank = await askedFor(page, merchant)
  for (const [round, end] of closings.entries()) {
    if (round > 0) await saveCard(page)
    await expect(bank.approve).toBeVisible()
    await end(page, bank)
    await expectFailure(page, merchant)
  }
})

test('nothing behind the question is reachable, and the page does not scroll', async ({ page, merchant }) => {
  const bank = await askedFor(page, merchant)
  const reached = new Set<string | undefined>()
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    reached.add(await page.evaluate(() => document.activeElement?.closest('dialog, form, body')?.tagName))
  }
  expect(reached).toContain('DIALOG')
  expect(reached).not.toContain('FORM')
  expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('hidden')
  await bank.close.click()
  await expectFailure(page, merchant)
  expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('')
})

/** One of the merchant's intents, in any state. */
function newIntent({ api }: Merchant, kind: 'setup' | 'payment', more: Readonly<Record<string, string>> = {}) {
  return api(`${kind}_intents`, kind === 'payment' ? { amount: '1250', currency: 'usd', ...more } : more)
}

test('confirmCardSetup and confirmCardPayment perform the authentication', async ({ page, merchant }) => {
  await openMerchant(page, merchant)
  const setup = await newIntent(merchant, 'setup')
  const payment = await newIntent(merchant, 'payment')
  const confirmed = page.evaluate(async (secret) => {
    const stripe = await window.merchant.stripe
    return stripe?.confirmCardSetup(secret, { payment_method: 'pm_card_authenticationRequired' })
  }, setup.client_secret)
  await bankOf(page).approve.click()
  expect(await confirmed).toMatchObject({ setupIntent: { id: setup.id, status: 'succeeded' } })

  const paid = page.evaluate(async (secret) => {
    const stripe = await window.merchant.stripe
    return stripe?.confirmCardPayment(secret, { payment_method: 'pm_card_authenticationRequired' })
  }, payment.client_secret)
  await bankOf(page).refuse.click()
  expect(await paid).toMatchObject({ error: { code: 'payment_intent_authentication_failure' } })

  const declined = await page.evaluate(async (secret) => {
    const stripe = await window.merchant.stripe
    return stripe?.confirmCardPayment(secret, { payment_method: 'pm_card_visa_chargeDeclined' })
  }, payment.client_secret)
  expect(declined).toMatchObject({
    error: { type: 'card_error', code: 'card_declined', payment_intent: { id: payment.id } },
  })
})

test('confirmSetup with elements redirects to the return address, or stays if requested', async ({
  page,
  merchant,
}) => {
  const setup = await newIntent(merchant, 'setup')
  const options = JSON.stringify({ clientSecret: setup.client_secret })
  await openMerchant(page, merchant, { payment: germany, options })
  await typeCard(page, ['4242424242424242', '1230', '123'])
  await page.evaluate(async () => {
    const { stripe, elements } = window.merchant
    const return_url = `${location.origin}/?back=yes`
    if (elements) void (await stripe)?.confirmSetup({ elements, confirmParams: { return_url } })
  })

  await page.waitForURL(/redirect_status=succeeded/)
  const { searchParams } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toEqual({
    back: 'yes',
    setup_intent: setup.id,
    setup_intent_client_secret: setup.client_secret,
    redirect_status: 'succeeded',
  })
  const again = await page.evaluate(async (clientSecret) => {
    const stripe = await window.merchant.stripe
    const confirmParams = { payment_method: 'pm_card_visa' }
    return stripe?.confirmSetup({ clientSecret, confirmParams, redirect: 'if_required' })
  }, setup.client_secret)
  expect(again).toMatchObject({ error: { code: 'setup_intent_unexpected_state' } })
})

test('an intent can be retrieved, and is only acted on while it waits', async ({ page, merchant }) => {
  await openMerchant(page, merchant)
  const setup = await newIntent(merchant, 'setup', {
    payment_method: 'pm_card_visa',
    confirm: 'true',
    return_url: merchant.origin,
  })
  const payment = await newIntent(merchant, 'payment')
  const seen = await page.evaluate(
    async ([setupSecret = '', paymentSecret = '']) => {
      const stripe = await window.merchant.stripe
      const said = (error: Error) => `${error.name}: ${error.message}`
      return [
        await stripe?.retrieveSetupIntent(setupSecret),
        await stripe?.retrievePaymentIntent(paymentSecret),
        await stripe?.retrieveSetupIntent(`${setupSecret}x`),
        await stripe?.handleNextAction({ clientSecret: setupSecret }).catch(said),
        await stripe?.handleCardAction(paymentSecret).catch(said),
        await stripe?.retrievePaymentIntent('pi_1').catch(said),
      ]
    },
    [setup.client_secret, payment.client_secret],
  )
  expect(seen).toMatchObject([
    { setupIntent: { id: setup.id, status: 'succeeded' } },
    { paymentIntent: { id: payment.id, status: 'requires_payment_method' } },
    { error: { type: 'invalid_request_error', code: 'resource_missing' } },
    'IntegrationError: handleNextAction: The SetupIntent supplied is not in the requires_action state.',
    'IntegrationError: handleCardAction: The PaymentIntent supplied is not in the requires_action state.',
    expect.stringContaining('IntegrationError: Invalid value for stripe.retrievePaymentIntent intent secret'),
  ])
})
