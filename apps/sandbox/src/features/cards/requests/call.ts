import type { Db, Tx } from '@atrium/server-kit/database.ts'
import type Stripe from 'stripe'
import { businessNow } from '../../clock/clock.queries.ts'
import type { StoredOf } from '../store/stored.ts'
import type { Access } from '../wire/access.rules.ts'

/** Dependencies of the stand-in. */
export interface ApiDeps {
  db: Db
  /** The real time. */
  clock: () => Date
  publicUrl: string
  /** Called after a request that may have caused events. */
  onEvents(): void
  /** Called in the transaction of every attempt to pay an invoice, after its payment intent was stored. */
  onPayment(call: Call, payment: StoredOf<'payment_intent'>): Promise<void>
  /** Called in the transaction of a setup that succeeded. */
  onSetup(call: Call, setup: Stripe.SetupIntent): Promise<void>
}

/** One operation at the provider: a request of its API, or a cardholder's answer to the bank. */
export interface Call {
  tx: Tx
  /** On the business clock. */
  now: Date
  /** The real time, which deliveries, signatures and idempotency keys follow. */
  realNow: Date
  /** Missing if no request of the API caused it. */
  requestId: string | null
  idempotencyKey: string | null
  access: Access
  /** Where a browser reaches the sandbox, without a slash at the end. */
  publicUrl: string
  onPayment: ApiDeps['onPayment']
  onSetup: ApiDeps['onSetup']
}

export type CallDeps = Pick<ApiDeps, 'clock' | 'publicUrl' | 'onPayment' | 'onSetup'>

/**
 * An operation that no request of the API caused: by the bank, by the passing of time, or by the operator of the sandbox.
 * @param at the moment on the business clock; missing for what it shows
 */
export async function ownCall(tx: Tx, { clock, publicUrl, onPayment, onSetup }: CallDeps, at?: Date): Promise<Call> {
  const realNow = clock()
  const now = at ?? (await businessNow(tx, realNow))
  return { tx, now, realNow, requestId: null, idempotencyKey: null, access: 'secret', publicUrl, onPayment, onSetup }
}
