import type { PaidCard } from '../../outside/billed-invoice.ts'
import type { Payer } from '../../outside/card-provider/payer.ts'
import type { Owner } from '../payments/customers/customer-claims.queries.ts'
import type { LinkProof } from '../payments/customers/link-proofs.rules.ts'
import type { OperationRow } from '../payments/operations/operations.tables.ts'
import type { Unmatched } from '../payments/unmatched/unmatched.writes.ts'
import type { MovedFrom } from './moving/moving.queries.ts'
import type { PaidOnce } from './moving/taken-back-time.ts'
import type { WithdrawnTime } from './moving/withdrawn-time.ts'
import type { Withholding } from './paypal-price.rules.ts'
import type { Projection } from './projection.rules.ts'
import type { MemberNow } from './subscriptions.queries.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

/** What a provider has, read under a number of `syncNumbers`. */
export interface Reading {
  providerId: string
  channel: 'card' | 'paypal'
  /** Whose it is, if it is new here; undefined: nobody is found, or it does not appear. */
  owner: Owner | undefined
  /** How it says itself that it is the owner's, at a customer who is not wholly proven; left out: it does not. */
  ownProof?: LinkProof | undefined
  /** What is stored of one that is new and does not appear. */
  unmatched?: Unmatched | undefined
  /** The card provider's customer; null: PayPal has it. */
  customerId: string | null
  syncNumber: number
  /** Once more, since something of it was known otherwise by the time it was to be stored. */
  isReadAgain?: boolean
  /** The member's subscription of ours that it continues, after a transfer. */
  continues?: string | undefined
  /** It was never paid: a new one is not stored. */
  isUnpaidStart: boolean
  /** What was paid, and nothing is granted for: it waits for the operator, and a new subscription is not stored. */
  withheld?(before: SubscriptionRow | undefined): (Unmatched & { reason: Withholding }) | undefined
  /** What was not granted before, and goes on waiting beside what is. */
  waitsBeside?(before: SubscriptionRow | undefined): Unmatched | undefined
  /** What was paid for it and is no order yet, if nobody here is its Owner any more. Left out: its invoices say so. */
  unordered?(): Unmatched | undefined
  /** What was paid for it since a transfer gave it to another Owner: it waits for the operator. Left out: its invoices say so. */
  paidSince?(moved: MovedFrom): Unmatched | undefined
  /** What was paid for it at PayPal, oldest first. */
  paid?: readonly PaidOnce[]
  /** Left out: it is PayPal's, or the card provider's and goes on, or was not transferred. */
  withdrawn?: WithdrawnTime | undefined
  /** What the customer has bought here, before PayPal has it. */
  isGrant?: true
  /** The card whose payment has failed. */
  declinedCard?: PaidCard | undefined
  /** What pays for it. */
  payer?: Payer | undefined
  /** The row's columns, from what the provider has, what was stored, and what the customer has asked the provider for. */
  projection(
    before: SubscriptionRow | undefined,
    asked: OperationRow | undefined,
    member: MemberNow,
  ): Projection | undefined | Promise<Projection | undefined>
}

/** `outdated`: a later reading is stored already. `no_member`: it is nobody's here. Any other: why it is not granted. */
export type Applied = 'done' | 'outdated' | 'no_member' | 'transferred' | Withholding
