import type { Page } from '@playwright/test'
import { accountReference } from '../../apps/sandbox/src/features/shop/shop.reference.ts'
import { trialShopSecret } from '../../scripts/start/settings.ts'
import { cardFrame, typeCard } from './card-fields.ts'
import type { Guest } from './guests.ts'
import { at, expect, signIn } from './journey.ts'

export const cardsTab = '/account?tab=payment-option-management'

export const cardsOnFile = (page: Page) => page.getByRole('main').getByRole('listitem')

export const visa = ['4242424242424242', '1234', '123'] as const
export const mastercard = ['5555555555554444', '0335', '123'] as const
export const declined = ['4000000000000002', '1234', '123'] as const
/** Always requires authentication. */
export const asking = ['4000002760003184', '1234', '123'] as const

/** Opens the form, with the provider's fields in it. */
export async function openAdd(page: Page) {
  await page.getByRole('main').getByRole('button', { name: 'Add Credit Card' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Credit Card' })
  await expect(dialog.getByRole('button', { name: 'Add Card' })).toBeEnabled()
  return dialog
}

/** Types a card of the United States and sends it. */
export async function sendCard(page: Page, card: readonly [string, string, string]) {
  await typeCard(page, card)
  await cardFrame(page).getByLabel('ZIP code').fill('94104')
  await page.getByRole('dialog', { name: 'Add Credit Card' }).getByRole('button', { name: 'Add Card' }).click()
}

/** The dialog that opens once a card is on file (000 §4). */
export const editOf = (page: Page, ending: string) =>
  page.getByRole('dialog', { name: new RegExp(`^Edit .*${ending}$`) })

/** Adds a card and closes the dialog that follows. */
export async function addCard(page: Page, card: readonly [string, string, string]) {
  await openAdd(page)
  await sendCard(page, card)
  const dialog = editOf(page, card[0].slice(-4))
  await expect(dialog).toContainText('Your card is on file.')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toHaveCount(0)
}

async function provider(path: string, form?: Record<string, string>) {
  const reply = await fetch(`${at.sandbox}/v1/${path}`, {
    method: form ? 'POST' : 'GET',
    headers: { authorization: 'Bearer sk_test_sandbox' },
    ...(form && { body: new URLSearchParams(form) }),
  })
  return reply.json()
}

async function customerOf(email: string): Promise<string> {
  const { data } = await provider(`customers?email=${encodeURIComponent(email)}`)
  return data[0].id
}

/** Adds cards directly at the provider. */
export async function addBehind(email: string, count: number, method = 'pm_card_visa') {
  const customer = await customerOf(email)
  for (let card = 0; card < count; card += 1) {
    await provider(`payment_methods/${method}/attach`, { customer })
  }
}

/** The journeys move the clock of the providers ahead. */
const yearMs = 365 * 86_400_000

/** A customer directly at the provider, as the vendor's shop makes one, with a card that pays by default. @returns the customer's id */
export async function putOnFile(email: string): Promise<string> {
  const reference = accountReference(trialShopSecret, email, new Date(Date.now() + yearMs)) ?? ''
  const { id: customer } = await provider('customers', { email, 'metadata[accountReference]': reference })
  const { id: card } = await provider('payment_methods/pm_card_visa/attach', { customer })
  await provider(`customers/${customer}`, { 'invoice_settings[default_payment_method]': card })
  return customer
}

/** Opens the cards that were put on file behind the account. The provider's webhooks bring their customer: it may take a moment. */
export async function openCards(page: Page, guest: Guest, count: number) {
  await signIn(page, guest, cardsTab)
  await expect(async () => {
    await page.reload()
    await expect(cardsOnFile(page)).toHaveCount(count, { timeout: 5000 })
  }).toPass()
}

/** Subscribes directly at the provider, paid with a card of its own. @param price its lookup key */
export async function subscribe(email: string, price: string) {
  const found = await provider(`prices?lookup_keys[]=${price}`)
  const customer = await putOnFile(email)
  await provider('subscriptions', { customer, 'items[0][price]': found.data[0].id, 'items[0][quantity]': '2' })
}

/** Somebody buys as a guest, and types a member's address: nothing else says who they are. */
export async function buyAsGuest(
  email: string,
  price: string,
  card = 'pm_card_visa',
  more: Record<string, string> = {},
) {
  const found = await provider(`prices?lookup_keys[]=${price}`)
  const { id: customer } = await provider('customers', { email })
  const { id: method } = await provider(`payment_methods/${card}/attach`, { customer })
  const item = { 'items[0][price]': found.data[0].id, 'items[0][quantity]': '2' }
  await provider('subscriptions', { customer, default_payment_method: method, ...item, ...more })
}

/** Makes the newest card of a customer expire. */
export async function expireCard(email: string) {
  const { data } = await provider(`customers/${await customerOf(email)}/payment_methods`)
  await fetch(`${at.sandbox}/cards/control/payment-methods/${data[0].id}/expiry/`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ month: 2, year: 2024 }),
  })
}

/** The default card of a customer refuses to pay from now on, and the trial of their subscription ends. */
export async function failFirstPayment(email: string) {
  const customer = await customerOf(email)
  const { id } = await provider('payment_methods/pm_card_chargeCustomerFail/attach', { customer })
  await provider(`customers/${customer}`, { 'invoice_settings[default_payment_method]': id })
  const { data } = await provider(`subscriptions?customer=${customer}`)
  await provider(`subscriptions/${data[0].id}`, { trial_end: 'now' })
}

/** The bank asks about every payment of a customer from now on. @returns their subscription's id */
export async function askAboutPayments(email: string): Promise<string> {
  const customer = await customerOf(email)
  const { id } = await provider('payment_methods/pm_card_authenticationRequired/attach', { customer })
  await provider(`customers/${customer}`, { 'invoice_settings[default_payment_method]': id })
  const { data } = await provider(`subscriptions?customer=${customer}`)
  return data[0].id
}

/** Opens the menu of the card with this ending. */
export async function openMenu(page: Page, ending: string) {
  await cardsOnFile(page)
    .filter({ hasText: ending })
    .getByRole('button', { name: /^More actions/ })
    .click()
  return page.getByRole('menu')
}
