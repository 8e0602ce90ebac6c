import { plainLine } from '@atrium/contract/text.ts'
import type Stripe from 'stripe'
import { callProvider } from './failure.ts'
import { wholeList } from './lists.ts'
import { isEnding } from './moved-subscriptions.ts'

/** A card on file, as stored by the provider. */
export interface StoredCard {
  id: string
  firstName: string
  lastName: string
  address: { line1: string; city: string; state: string; country: string; postalCode: string }
  brand: string
  last4: string
  expMonth: number
  expYear: number
  /** The same for the same card, whoever's customer it is attached to; empty: not known. */
  fingerprint: string
  /** The operation that changed it last; empty: none. */
  changedBy: string
}

export interface StoredCards {
  /** Newest first. */
  cards: readonly StoredCard[]
  /** Empty if the customer has none. */
  defaultId: string
}

interface CustomerCards extends StoredCards {
  /** Whether the customer has an address of its own, from which tax follows; unknown without cards. */
  hasAddress: boolean
  /** The only currency in which it can be billed, `USD`; undefined: none yet, or there are no cards. */
  currency: string | undefined
}

/** The cardholder. */
export type Holder = Pick<StoredCard, 'firstName' | 'lastName' | 'address'>

interface CardUpdate {
  paymentMethodId: string
  /** Used as idempotency key, and to recognize the change later. */
  operationId: string
}

interface OwnCard {
  customerId: string
  paymentMethodId: string
}

interface PaidSubscription {
  id: string
  priceIds: readonly string[]
  /** Whether it is billed for no further period. */
  isEnding: boolean
}

/** Cards on file at the card provider. */
export function cardCalls(stripe: Stripe) {
  return {
    /** All cards of a customer and the id of the default, in one call. */
    async cards(customerId: string): Promise<CustomerCards> {
      const listing = () =>
        stripe.paymentMethods.list({
          customer: customerId,
          type: 'card',
          limit: 100,
          expand: ['data.customer'],
        })
      const { data } = await callProvider(listing)
      const customer = customerOf(data[0])
      return {
        cards: data.map(cardFrom),
        defaultId: customer ? defaultOf(customer) : '',
        hasAddress: Boolean(customer?.address?.country),
        currency: customer?.currency?.toUpperCase(),
      }
    },

    async updateCard({ paymentMethodId, operationId }: CardUpdate, holder: Holder): Promise<StoredCard> {
      const { postalCode, ...address } = holder.address
      const change = {
        billing_details: {
          name: `${holder.firstName} ${holder.lastName}`.trim(),
          address: { ...address, postal_code: postalCode },
        },
        metadata: { firstName: holder.firstName, lastName: holder.lastName, operationId },
      }
      const updated = () => stripe.paymentMethods.update(paymentMethodId, change, { idempotencyKey: operationId })
      return cardFrom(await callProvider(updated))
    },

    /** Idempotent by itself, so it needs no key. */
    async setDefaultCard({ customerId, paymentMethodId }: { customerId: string; paymentMethodId: string }) {
      const change = { invoice_settings: { default_payment_method: paymentMethodId } }
      await callProvider(() => stripe.customers.update(customerId, change))
    },

    /** What a customer's card alone pays for: subscriptions of which it is the own card, and that go on. */
    async subscriptionsPaidBy({ customerId: customer, paymentMethodId }: OwnCard): Promise<PaidSubscription[]> {
      const all = await wholeList((page) => stripe.subscriptions.list({ customer, ...page }))
      const own = all.filter(({ default_payment_method: card }) => idOf(card) === paymentMethodId)
      return own.map((paid) => ({
        ...{ id: paid.id, isEnding: isEnding(paid) },
        priceIds: paid.items.data.map(({ price }) => price.id),
      }))
    },

    /** Throws `invalid` if it is removed already. */
    async removeCard(paymentMethodId: string): Promise<void> {
      await callProvider(() => stripe.paymentMethods.detach(paymentMethodId))
    },
  }
}

function cardFrom({ id, card, billing_details: billing, metadata }: Stripe.PaymentMethod): StoredCard {
  const { address } = billing
  return {
    id,
    firstName: plainLine(metadata?.firstName ?? ''),
    lastName: plainLine(metadata?.lastName ?? ''),
    address: {
      line1: plainLine(address?.line1 ?? ''),
      city: plainLine(address?.city ?? ''),
      state: plainLine(address?.state ?? ''),
      country: address?.country ?? '',
      postalCode: plainLine(address?.postal_code ?? ''),
    },
    brand: card?.brand ?? 'unknown',
    last4: card?.last4 ?? '',
    expMonth: card?.exp_month ?? 1,
    expYear: card?.exp_year ?? 1970,
    fingerprint: card?.fingerprint ?? '',
    changedBy: metadata?.operationId ?? metadata?.attemptId ?? '',
  }
}

function idOf(reference: string | Stripe.PaymentMethod | null): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}

function customerOf(card: Stripe.PaymentMethod | undefined): Stripe.Customer | undefined {
  const customer = card?.customer
  return typeof customer !== 'object' || customer === null || customer.deleted ? undefined : customer
}

/** In the provider's order. */
function defaultOf({ invoice_settings: settings, default_source: source }: Stripe.Customer): string {
  const reference = settings.default_payment_method ?? source
  return (typeof reference === 'string' ? reference : reference?.id) ?? ''
}
