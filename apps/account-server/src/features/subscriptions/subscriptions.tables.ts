import type { OpenChange } from '@atrium/contract/open-changes.ts'
import { type BillingTerm, billingTerms, subscriptionStatuses } from '@atrium/contract/subscriptions.ts'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  char,
  check,
  index,
  integer,
  jsonb,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'
import type { Interval } from '../../outside/paypal/plans.ts'
import { products } from '../catalog/catalog.tables.ts'
import { linkProofs } from '../payments/customers/link-proofs.rules.ts'

/** What is billed, as the card provider has it: the product, and its connectors. */
export interface ProviderItem {
  id: string
  priceId: string
  productCode: string
  isConnector: boolean
  /** A price that its buyer has made covered the catalog's when it was stored, or the operator had accepted it. */
  isMeasured?: boolean
  /** What it asked for beside that price then, as a setup fee and a tax. */
  besidePrice?: string
  quantity: number
  /** Of one, in minor units; null if it is not per unit. */
  amount: number | null
  /** The vendor has archived its price at the card provider: nothing begins at it any more. */
  isArchived?: true
  /** How often PayPal bills it, after its trials. Left out: a version of this program that did not store it has read it last. */
  interval?: Interval
}

/** A payment of a renewal that was declined. */
export interface LastDecline {
  /** The provider's id. */
  cardId: string
  brand: string
  last4: string
  /** When it was tried, or, if the provider does not say, read first; ISO 8601. */
  at: string
}

/** What there was before seats, storage or connectors were added. */
export interface LateIncrease extends Pick<PlanAhead, 'userCount' | 'storageCapacity' | 'connectors'> {
  /** ISO 8601 */
  at: string
}

/** A card for display: everything else about it stays at the provider. */
export interface PayingCard {
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

/** A change that was begun at the card provider, and waits there for its payment. */
export interface PendingChange
  extends Required<Pick<OpenChange, 'increasedNumber' | 'isStorage' | 'chargeAmount' | 'currency'>> {
  type: OpenChange['type']
  /** The product after it. */
  productCode: string
  /** The provider's; void, it drops the change. */
  invoiceId: string
  /** When the provider drops it unless it is paid, ISO 8601; left out: an earlier version of this program did not store it. */
  expiresAt?: string
}

/** A plan that PayPal bills, or is to bill. */
export interface PlanAhead {
  productCode: string
  term: BillingTerm | null
  userCount: number
  /** In TB. */
  storageCapacity: number
  connectors: number
  /** For a whole term, in minor units of `currency`; null: unknown. */
  price: number | null
  currency: string | null
  /** PayPal's id of it; left out: an earlier version of this program did not store it. */
  planId?: string
}

/**
 * What is billed from the next period on, or from a moment that is said, if that is not what the row says now: PayPal's next plan, or
 * what a schedule of the card provider makes of it.
 */
export interface NextPlan extends PlanAhead {
  /** That it begins is certain, or waits for the customer's confirmation at PayPal, or happens only without that. */
  when: 'certain' | 'confirmed' | 'unconfirmed'
  /** ISO 8601; left out: with the next period. */
  from?: string
  /** Of one that waits: what begins without the confirmation; left out: what the row says goes on. */
  otherwise?: PlanAhead
}

/** The page on which a change at PayPal is approved. */
export interface PendingApproval {
  planId: string
  quantity: number
  /** Empty while PayPal is asked. */
  url: string
  /** ISO 8601. */
  askedAt: string
}

/** A recurring purchase or a grant. For an online one this is a projection: the provider is the source of truth. */
export const subscriptions = account.table(
  'subscriptions',
  {
    id: text('id').primaryKey(),
    /** The Owner. */
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    /** Whom a file has named as the Owner last; null: none. Named again, they do not get it back from whoever has it since. */
    importedFor: uuid('imported_for'),
    productCode: text('product_code')
      .notNull()
      .references(() => products.code),
    status: text('status', { enum: subscriptionStatuses }).notNull(),
    /** Seats paid. */
    userCount: integer('user_count').notNull(),
    origin: text('origin', { enum: ['online', 'offline', 'given'] }).notNull(),
    channel: text('channel', { enum: ['card', 'paypal', 'invoice'] }).notNull(),
    autoRenew: boolean('auto_renew').notNull(),
    periodStart: timestamp('period_start', { withTimezone: true }).notNull(),
    /** Null: no end. */
    periodEnd: timestamp('period_end', { withTimezone: true }),
    trialEnd: timestamp('trial_end', { withTimezone: true }),
    /**
     * Of PayPal's: the product of which it has been a trial. Nothing takes that back, as a payment does `trialEnd`. Empty: its member had
     * tried the product before, and of this one only what was paid is granted; null: it has been none.
     */
    trialProduct: text('trial_product'),
    cancelAt: timestamp('cancel_at', { withTimezone: true }),
    /**
     * Of what has ended: it was not paid since then, and ended for that, unless its end was chosen before (`cancelAt`). Of what is active
     * again: an older invoice is still open.
     */
    pastDueSince: timestamp('past_due_since', { withTimezone: true }),
    /** When it ended, or will: ahead, it cannot be resumed. */
    endedAt: timestamp('ended_at', { withTimezone: true }),
    orgCode: text('org_code').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** Null: nothing is billed. */
    term: text('term', { enum: billingTerms }),
    /** For a whole term and all seats, before tax, in minor units of `currency`; null: nothing is billed, or unknown. */
    price: bigint('price', { mode: 'number' }),
    currency: char('currency', { length: 3 }),
    /** In TB. */
    storageCapacity: integer('storage_capacity').notNull().default(0),
    connectors: integer('connectors').notNull().default(0),
    /** Of an add-on: the subscription with which it ends and resumes. */
    parentId: text('parent_id').references((): AnyPgColumn => subscriptions.id),
    /** An add-on that was turned off with what it belongs to, and resumes with it. */
    isCanceledWithParent: boolean('is_canceled_with_parent').notNull().default(false),
    /** Bought through a partner: its price is not shown. */
    isPriceHidden: boolean('is_price_hidden').notNull().default(false),
    /** Where the vendor has it managed instead; empty: here. */
    manageUrl: text('manage_url').notNull().default(''),
    /** Whether envelope sharing is enabled. */
    isPooled: boolean('is_pooled').notNull().default(false),
    /** The provider's object; null unless it is billed there. */
    providerId: text('provider_id').unique(),
    /** The card provider's customer who pays for it; null: it is not billed there. */
    customerId: text('customer_id'),
    /** How it is known to be its Owner's; null, at the card provider: as its customer is. */
    proof: text('proof', { enum: linkProofs }),
    /** Of what a transfer left without `providerId`: what a card of its new Owner pays for, once it renews again. */
    providerItems: jsonb('provider_items').$type<readonly ProviderItem[]>().notNull().default([]),
    /** Whether it ends, and cannot be renewed, because its Owner, to whom it was transferred, is billed in another currency. */
    isOtherCurrency: boolean('is_other_currency').notNull().default(false),
    /** The card that pays for it; empty: the customer's default, or none. */
    ownCard: text('own_card').notNull().default(''),
    /** What pays for it at the card provider, when that was read last; null: no card. */
    payingCard: jsonb('paying_card').$type<PayingCard>(),
    /** Of `yearly_paid_monthly`: until when the customer is bound. */
    commitmentEnd: timestamp('commitment_end', { withTimezone: true }),
    /** The open invoice: its amount, its page at the provider, and when the payment is tried again. */
    dueAmount: bigint('due_amount', { mode: 'number' }),
    dueUrl: text('due_url').notNull().default(''),
    nextAttemptAt: timestamp('next_attempt_at', { withTimezone: true }),
    /** Whether the bank waits for the customer's confirmation of that payment. */
    needsConfirmation: boolean('needs_confirmation').notNull().default(false),
    /** Why that payment failed last, as the provider's code, and the id of its card; empty: not known, or none has failed. */
    declineCode: text('decline_code').notNull().default(''),
    declinedCard: text('declined_card').notNull().default(''),
    /** What its open invoice is for, if a change was begun at the provider: it is made once that is paid; null: none waits. */
    pendingChange: jsonb('pending_change').$type<PendingChange>(),
    /** The last payment of a renewal that was declined; null: none was, or its card has paid something since. */
    lastDecline: jsonb('last_decline').$type<LastDecline>(),
    /** What was added shortly before a renewal: if that fails, it is not there until it is paid. */
    lateIncreases: jsonb('late_increases').$type<readonly LateIncrease[]>().notNull().default([]),
    /** Whether the provider runs it as a trial, as what continues a transferred one may be: it charges nothing before the end. */
    isProviderTrial: boolean('is_provider_trial').notNull().default(false),
    /** Whether the payment of the period that has begun was not tried yet. */
    isRenewing: boolean('is_renewing').notNull().default(false),
    /** The plan and quantity at PayPal that wait for the customer's approval; null: nothing waits. */
    pendingPlanId: text('pending_plan_id'),
    pendingQuantity: integer('pending_quantity'),
    /**
     * Of what PayPal bills and renews: until when it can be used unless another payment is read; null: the provider says otherwise
     * when it cannot.
     */
    paidUntil: timestamp('paid_until', { withTimezone: true }),
    /** PayPal's id of the payment that paid for the period; null: none, or it is not PayPal's. */
    paidBy: text('paid_by'),
    /** Where that is approved, as PayPal answered last; null: it was not asked yet. */
    pendingApproval: jsonb('pending_approval').$type<PendingApproval>(),
    /** What begins with the next period, or is planned for later; null: what it is now. */
    nextPlan: jsonb('next_plan').$type<NextPlan>(),
    /** The number under which the provider was read for this row (`syncNumbers`). */
    syncNumber: bigint('sync_number', { mode: 'number' }).notNull().default(0),
  },
  (table) => [
    index('subscriptions_of_member').on(table.memberId, table.id),
    index('subscriptions_of_parent').on(table.parentId).where(sql`${table.parentId} is not null`),
    check('subscriptions_price', sql`${table.price} is null or ${table.currency} is not null`),
  ],
)

export type SubscriptionRow = typeof subscriptions.$inferSelect
