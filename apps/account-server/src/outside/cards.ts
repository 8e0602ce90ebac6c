import Stripe from 'stripe'
import type { AccountConfig } from '../config.ts'
import { asked, sentenceOf } from './card-failure.ts'

/** A card on file, as the provider knows it. */
export interface StoredCard {
  id: string
  firstName: string
  lastName: string
  address: { line1: string; city: string; state: string; country: string; postalCode: string }
  brand: string
  last4: string
  expMonth: number
  expYear: number
  /** Our attempt that changed it last; empty: none. */
  changedBy: string
}

export interface StoredCards {
  /** The newest first. */
  cards: readonly StoredCard[]
  /** Empty: the customer has none. */
  defaultId: string
}

/** A card that is being put on file. */
export interface Setup {
  id: string
  status: Stripe.SetupIntent.Status
  /** For the provider’s browser SDK alone. */
  secret: string
  paymentMethodId: string | undefined
  /** Our attempt. */
  attemptId: string | undefined
  /** Why the last try failed, as the customer is told; empty: the card was declined. */
  refusal: string
}

/** What the provider tells unasked. It is a hint: the object is fetched before anything is believed. */
export interface ProviderEvent {
  id: string
  type: string
  objectId: string
  attemptId: string | undefined
}

interface CardChange {
  customerId: string
  paymentMethodId: string
  /** Our attempt: the idempotency key, and how the change is recognized later. */
  attemptId: string
}

interface Holder {
  firstName: string
  lastName: string
  address: StoredCard['address']
}

export type CardProvider = ReturnType<typeof cardProvider>

/**
 * The card provider, through its official SDK. Every method throws a `CardFailure`. A call that got no answer is tried
 * once more with the same idempotency key, and has ended after 14.5 seconds.
 */
export function cardProvider(config: Pick<AccountConfig, 'STRIPE_SECRET_KEY' | 'STRIPE_API_URL'>) {
  const address = new URL(config.STRIPE_API_URL)
  const protocol = address.protocol === 'https:' ? 'https' : 'http'
  const stripe = new Stripe(config.STRIPE_SECRET_KEY, {
    host: address.hostname,
    port: address.port || (protocol === 'https' ? 443 : 80),
    protocol,
    timeout: 7000,
    maxNetworkRetries: 1,
    telemetry: false,
  })
  return { ...customerCalls(stripe), ...cardCalls(stripe), ...setupCalls(stripe) }
}

function customerCalls(stripe: Stripe) {
  return {
    /** @returns the provider’s id of the customer, always the same one for a key */
    async createCustomer({ memberId, email, key }: { memberId: string; email: string; key: string }): Promise<string> {
      const made = stripe.customers.create({ email, metadata: { memberId } }, { idempotencyKey: key })
      return (await asked(made)).id
    },

    /** A customer that was made for the member, though nobody heard of it. */
    async customerOf({ memberId, email }: { memberId: string; email: string }): Promise<string | undefined> {
      const { data } = await asked(stripe.customers.list({ email, limit: 100 }))
      return data.find(({ metadata }) => metadata.memberId === memberId)?.id
    },

    /** Whether the vendor deleted it there. Throws `missing` for one that never was. */
    async isCustomerDeleted(customerId: string): Promise<boolean> {
      return (await asked(stripe.customers.retrieve(customerId))).deleted === true
    },

    /** What tax and receipts of the provider follow. */
    async updateCustomer(customerId: string, { name, address }: { name: string; address: Stripe.AddressParam }) {
      await asked(stripe.customers.update(customerId, { name, address }))
    },
  }
}

function cardCalls(stripe: Stripe) {
  return {
    /** All cards of a customer and which one is the default, in one call. */
    async cards(customerId: string): Promise<StoredCards> {
      const listing = stripe.paymentMethods.list({
        customer: customerId,
        type: 'card',
        limit: 100,
        expand: ['data.customer'],
      })
      const { data } = await asked(listing)
      return { cards: data.map(cardFrom), defaultId: defaultOf(data[0]?.customer) }
    },

    async updateCard({ paymentMethodId, attemptId }: CardChange, holder: Holder): Promise<StoredCard> {
      const { postalCode, ...address } = holder.address
      const change = {
        billing_details: {
          name: `${holder.firstName} ${holder.lastName}`.trim(),
          address: { ...address, postal_code: postalCode },
        },
        metadata: { firstName: holder.firstName, lastName: holder.lastName, attemptId },
      }
      return cardFrom(await asked(stripe.paymentMethods.update(paymentMethodId, change, { idempotencyKey: attemptId })))
    },

    /** Done twice, it is done once: it needs no key. */
    async setDefaultCard({ customerId, paymentMethodId }: Omit<CardChange, 'attemptId'>): Promise<void> {
      const change = { invoice_settings: { default_payment_method: paymentMethodId } }
      await asked(stripe.customers.update(customerId, change))
    },

    /** Throws `invalid` for one that is removed already. */
    async removeCard(paymentMethodId: string): Promise<void> {
      await asked(stripe.paymentMethods.detach(paymentMethodId))
    },
  }
}

function setupCalls(stripe: Stripe) {
  return {
    /** Puts a payment method on file: at once, or after the bank has asked its holder. */
    async saveCard({ customerId, paymentMethodId, attemptId }: CardChange): Promise<Setup> {
      const wanted = {
        customer: customerId,
        payment_method: paymentMethodId,
        confirm: true,
        usage: 'off_session',
        use_stripe_sdk: true,
        // Nothing else is listed, counted or removed here, whatever the vendor has switched on.
        allowed_payment_method_types: ['card'],
        metadata: { attemptId },
      } satisfies Stripe.SetupIntentCreateParams
      return setupFrom(await asked(stripe.setupIntents.create(wanted, { idempotencyKey: attemptId })))
    },

    async setup(id: string): Promise<Setup> {
      return setupFrom(await asked(stripe.setupIntents.retrieve(id)))
    },

    /** What became of an attempt whose answer was lost. */
    async setupOfAttempt(customerId: string, attemptId: string): Promise<Setup | undefined> {
      const { data } = await asked(stripe.setupIntents.list({ customer: customerId, limit: 100 }))
      const found = data.find(({ metadata }) => metadata?.attemptId === attemptId)
      return found && setupFrom(found)
    },

    /** How many cards were declined with one intent; a bank’s question that failed or was closed declined none. */
    async declinesOf(id: string): Promise<number> {
      const { data } = await asked(stripe.setupAttempts.list({ setup_intent: id, limit: 100 }))
      const isDeclined = ({ status, setup_error: error }: Stripe.SetupAttempt) =>
        status === 'failed' && error?.code !== 'setup_intent_authentication_failure'
      return data.filter(isDeclined).length
    },

    async cancelSetup(id: string): Promise<Setup> {
      return setupFrom(await asked(stripe.setupIntents.cancel(id)))
    },
  }
}

export function setupFrom(intent: Stripe.SetupIntent): Setup {
  const error = intent.last_setup_error
  return {
    id: intent.id,
    status: intent.status,
    secret: intent.client_secret ?? '',
    paymentMethodId: idOf(intent.payment_method),
    attemptId: intent.metadata?.attemptId,
    refusal: error ? sentenceOf(error.code, error.message) : '',
  }
}

function cardFrom({ id, card, billing_details: billing, metadata }: Stripe.PaymentMethod): StoredCard {
  const { address } = billing
  return {
    id,
    firstName: metadata?.firstName ?? '',
    lastName: metadata?.lastName ?? '',
    address: {
      line1: address?.line1 ?? '',
      city: address?.city ?? '',
      state: address?.state ?? '',
      country: address?.country ?? '',
      postalCode: address?.postal_code ?? '',
    },
    brand: card?.brand ?? 'unknown',
    last4: card?.last4 ?? '',
    expMonth: card?.exp_month ?? 1,
    expYear: card?.exp_year ?? 1970,
    changedBy: metadata?.attemptId ?? '',
  }
}

function defaultOf(customer: Stripe.PaymentMethod['customer'] | undefined): string {
  if (typeof customer !== 'object' || customer === null || customer.deleted) return ''
  return idOf(customer.invoice_settings.default_payment_method) ?? ''
}

function idOf(reference: string | { id: string } | null): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}
