import { bigint, boolean, char, index, jsonb, primaryKey, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../../db/members.tables.ts'
import { account } from '../../../db/schema-name.ts'

/** What a provider has, and nobody here could be given. */
export const unmatchedReasons = [
  /** No member has its customer, reference or address. */
  'no_member',
  /** A trial, or what costs nothing, that is known by an address alone: its member says whether to add it. */
  'offered',
  /** The member has said that it is not theirs. */
  'not_mine',
  /** Its plan was overridden, and what was paid is not known to be the catalog's price, or more. */
  'price_overridden',
  /** No payment was for a whole cycle of its plan, as a setup fee is not. */
  'paid_too_little',
  /** A quantity or an amount that is not one. */
  'impossible_amount',
  /** Another order has its number. */
  'number_taken',
  /** It was billed again after a transfer had given what it stood for to another Owner. */
  'transferred',
  /** What had been paid for it before a transfer was given or taken back since, and others have paid for it, or a card goes on with it. */
  'taken_back_after_transfer',
] as const

export type UnmatchedReason = (typeof unmatchedReasons)[number]

interface WaitingPayment {
  /** ISO 8601. */
  at: string
  /** In minor units of the row's currency. */
  amount: number
}

/** Purchases at a provider that are nobody's here, or that are not granted; one row an object, until it is matched. */
export const unmatchedPurchases = account.table(
  'unmatched_purchases',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    provider: text('provider', { enum: ['card', 'paypal'] }).notNull(),
    /** What the object is. */
    kind: text('kind', { enum: ['subscription', 'invoice', 'payment'] }).notNull(),
    /** The provider's id of it. */
    objectId: text('object_id').notNull(),
    /** The provider's id of the subscription that an invoice bills; empty: none, or the object is one itself. */
    providerSubscriptionId: text('provider_subscription_id').notNull().default(''),
    reason: text('reason', { enum: unmatchedReasons }).notNull(),
    /** The card provider's customer; empty: none. */
    customerId: text('customer_id').notNull().default(''),
    /** The address that was typed there; empty: none. */
    email: text('email').notNull().default(''),
    /**
     * What finds it at the first sign-in of whose it is: the `addressSubject` of each address that says so; null: none, or unknown. With an
     * empty one: an erased person's was among them, and no other is added.
     */
    addressSubjects: text('address_subjects').array(),
    /** Whose it would be; null: nobody's here. */
    memberId: uuid('member_id').references(() => members.id),
    /** Whether more than a typed address says whose it would be: they see that it is being checked. */
    isProven: boolean('is_proven').notNull().default(false),
    /** What was paid, of several payments the last one, in minor units of `currency`; 0: all of it was given back, and it may be billed again; null: nothing, or unknown. */
    amount: bigint('amount', { mode: 'number' }),
    currency: char('currency', { length: 3 }),
    /** Of several payments that wait at once each, oldest first, and of what waits beside what is granted a single one, too; empty: it is one, which `amount` says, or none. */
    payments: jsonb('payments').$type<readonly WaitingPayment[]>().notNull().default([]),
    /** The terms on which it was bought, as PayPal had them; empty: unknown, its price is not why it waits, or others are granted since. */
    terms: text('terms').notNull().default(''),
    /** How these terms are less than what their plan asked for when they were read last, in words for the operator; empty: they are not. */
    lessThanPlan: text('less_than_plan').notNull().default(''),
    /** When it was bought, or paid. */
    boughtAt: timestamp('bought_at', { withTimezone: true }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** When the operator, or of what is offered the member, has accepted it as it is. */
    acceptedAt: timestamp('accepted_at', { withTimezone: true }),
  },
  (table) => [
    unique('unmatched_purchases_object').on(table.provider, table.objectId),
    index('unmatched_purchases_of_member').on(table.memberId),
    index('unmatched_purchases_of_customer').on(table.customerId),
    index('unmatched_purchases_of_address').using('gin', table.addressSubjects),
  ],
)

/**
 * Terms that the operator has accepted, one row an object: they stay accepted whoever it is of, and whatever else it waits for. Others of
 * the same object are not.
 */
export const acceptedTerms = account.table(
  'accepted_terms',
  {
    provider: text('provider', { enum: ['card', 'paypal'] }).notNull(),
    /** The provider's id of it. */
    objectId: text('object_id').notNull(),
    terms: text('terms').notNull(),
    /** What had been paid when they were accepted, in minor units: no less is granted later; null: nothing had been, or it is unknown. */
    amount: bigint('amount', { mode: 'number' }),
    acceptedAt: timestamp('accepted_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.objectId] })],
)

/**
 * What was bought, or revised, on terms that are less than its plan asks in what no amount shows, until the operator accepts it: PayPal shows
 * the terms of now alone, so that whoever goes back to the plan would have paid as little for it.
 */
export const termsLessThanPlan = account.table('terms_less_than_plan', {
  /** PayPal's subscription. */
  objectId: text('object_id').primaryKey(),
  /** How they are less, in words for the operator. */
  words: text('words').notNull(),
  readAt: timestamp('read_at', { withTimezone: true }).notNull(),
})

/** Who has said *Not mine* of what a provider has, whoever it is offered to or is of since. */
export const declinedPurchases = account.table(
  'declined_purchases',
  {
    provider: text('provider', { enum: ['card', 'paypal'] }).notNull(),
    /** The provider's id of it. */
    objectId: text('object_id').notNull(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    /** The card provider's customer; empty: none. */
    customerId: text('customer_id').notNull(),
    declinedAt: timestamp('declined_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.objectId, table.memberId] }),
    index('declined_purchases_of_customer').on(table.customerId),
    index('declined_purchases_of_member').on(table.memberId),
  ],
)

export type UnmatchedPurchase = typeof unmatchedPurchases.$inferSelect
