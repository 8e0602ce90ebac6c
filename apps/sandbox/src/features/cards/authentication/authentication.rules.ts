import type Stripe from 'stripe'
import { moneyText } from '../wire/money.rules.ts'

type Intent = Stripe.SetupIntent | Stripe.PaymentIntent

/** `Pay 12.50 USD`, or that the card will be stored. */
export function purposeOf(intent: Intent): string {
  if (intent.object === 'setup_intent') return 'Save this card for later payments'
  return `Pay ${moneyText(intent.amount, intent.currency)}`
}

export function cardName(card: Stripe.PaymentMethod.Card | undefined): string {
  return card ? `${card.brand} •••• ${card.last4}` : 'unknown'
}

/** The merchant's return address, with the outcome in its query. */
export function addressAfter(returnUrl: string, intent: Intent, hasSucceeded: boolean): string {
  const address = new URL(returnUrl)
  address.searchParams.set(intent.object, intent.id)
  address.searchParams.set(`${intent.object}_client_secret`, intent.client_secret ?? '')
  address.searchParams.set('redirect_status', hasSucceeded ? 'succeeded' : 'failed')
  return address.href
}

/**
 * The merchant's page may embed the bank's page, and its form may redirect to the return address. No script runs on it.
 */
export function framedPolicy(merchantUrl: string, returnUrl: string | null): string {
  const back = returnUrl === null ? '' : ` ${new URL(returnUrl).origin}`
  return [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    `form-action 'self'${back}`,
    "base-uri 'none'",
    `frame-ancestors 'self' ${new URL(merchantUrl).origin}`,
  ].join('; ')
}
