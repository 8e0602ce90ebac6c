import Stripe from 'stripe'
import type { AccountConfig } from '../../config.ts'
import { cardCalls } from './cards.ts'
import { couponCalls } from './coupons.ts'
import { customerCalls } from './customers.ts'
import { eventCalls } from './events.ts'
import { countingHttpClient } from './failure.ts'
import { invoiceCalls } from './invoices.ts'
import { movedSubscriptionCalls } from './moved-subscriptions.ts'
import { overdueInvoiceCalls } from './overdue-invoices.ts'
import { paidShareCalls } from './paid-share.ts'
import { paidTimeCalls } from './paid-time.ts'
import { payingCardCalls } from './paying-cards.ts'
import { planChangeCalls } from './plan-changes.ts'
import { planPreviewCalls } from './plan-previews.ts'
import { prepaidInvoiceCalls } from './prepaid-invoices.ts'
import { priceCalls } from './prices.ts'
import { refundCalls } from './refunds.ts'
import { scheduleCalls } from './schedules.ts'
import { setupCalls } from './setups.ts'
import { subscriptionCalls } from './subscriptions.ts'

export type CardProvider = ReturnType<typeof cardProvider>

/**
 * The card provider, through its official SDK. Every method throws a `ProviderFailure`. A call without an answer is retried
 * once with the same idempotency key, and ends within 15 seconds; each page of a whole list is a call.
 */
export function cardProvider(
  config: Pick<AccountConfig, 'STRIPE_SECRET_KEY' | 'STRIPE_API_URL'>,
  { timeout = 7000 } = {},
) {
  const address = new URL(config.STRIPE_API_URL)
  const protocol = address.protocol === 'https:' ? 'https' : 'http'
  const stripe = new Stripe(config.STRIPE_SECRET_KEY, {
    host: address.hostname,
    port: address.port || (protocol === 'https' ? 443 : 80),
    protocol,
    timeout,
    maxNetworkRetries: 1,
    telemetry: false,
    httpClient: countingHttpClient(timeout),
  })
  return {
    ...eventCalls(stripe),
    ...customerCalls(stripe),
    ...cardCalls(stripe),
    ...couponCalls(stripe),
    ...setupCalls(stripe),
    ...movedSubscriptionCalls(stripe),
    ...paidShareCalls(stripe),
    ...paidTimeCalls(stripe),
    ...overdueInvoiceCalls(stripe),
    ...payingCardCalls(stripe),
    ...planChangeCalls(stripe),
    ...planPreviewCalls(stripe),
    ...prepaidInvoiceCalls(stripe),
    ...priceCalls(stripe),
    ...scheduleCalls(stripe),
    ...subscriptionCalls(stripe),
    ...invoiceCalls(stripe),
    ...refundCalls(stripe),
  }
}
