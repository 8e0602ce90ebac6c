import type Stripe from 'stripe'
import type { BehaviorName } from '../payment-methods/behavior.rules.ts'

/** What the bank still asks the cardholder, and where the browser goes with the answer. */
interface Challenge {
  /** Of the bank page's address; unguessable. */
  token: string
  returnUrl: string | null
}

/** What an intent remembers beside what it shows. */
interface IntentHidden {
  challenge: Challenge | null
  /** Anybody's own: as given when the intent was made or confirmed. */
  returnUrl: string | null
}

interface PaymentMethodHidden {
  behavior: BehaviorName
  /** Set up for charges without the cardholder. */
  isSetUp: boolean
  /** Used without a customer, or detached: never again. */
  isSpent: boolean
  isCvcGiven: boolean
}

export interface Secret {
  value: string
  /** Epoch seconds after which it no longer signs; null for the one in force. */
  until: number | null
}

interface Objects {
  customer: Stripe.Customer
  payment_method: Stripe.PaymentMethod
  setup_intent: Stripe.SetupIntent
  setup_attempt: Stripe.SetupAttempt
  payment_intent: Stripe.PaymentIntent
  charge: Stripe.Charge
  event: Stripe.EventBase
  webhook_endpoint: Stripe.WebhookEndpoint
}

interface Hiddens {
  customer: null
  payment_method: PaymentMethodHidden
  setup_intent: IntentHidden
  setup_attempt: null
  payment_intent: IntentHidden
  charge: null
  event: null
  webhook_endpoint: { secrets: Secret[] }
}

export type Kind = keyof Objects

/**
 * An object as it is stored: what is answered, and what only we know of it. Of a card there is never its number, only
 * brand, last four, expiry, fingerprint, funding, country and how it behaves.
 */
export interface StoredOf<K extends Kind> {
  kind: K
  object: Objects[K]
  hidden: Hiddens[K]
}

export type Stored = { [K in Kind]: StoredOf<K> }[Kind]

export function isOf<K extends Kind>(stored: Stored, kind: K): stored is Stored & StoredOf<K> {
  return stored.kind === kind
}

/** Ids of what is stored, and so what an `expand` can reach. */
const kindsByPrefix: Readonly<Record<string, Kind>> = {
  cus_: 'customer',
  pm_: 'payment_method',
  seti_: 'setup_intent',
  setatt_: 'setup_attempt',
  pi_: 'payment_intent',
  ch_: 'charge',
  evt_: 'event',
  we_: 'webhook_endpoint',
}

export function kindOfId(id: string): Kind | undefined {
  return kindsByPrefix[id.slice(0, id.indexOf('_') + 1)]
}
