import type { PlannedChange } from '@atrium/contract/planned-changes.ts'
import type { BillingTerm } from '@atrium/contract/subscriptions.ts'
import { index, integer, jsonb, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'

/** What becomes of a subscription for its new Owner. */
export interface OfferedSubscription {
  subscriptionId: string
  productName: string
  /** Of an add-on: the product that it belongs to; otherwise empty. */
  parentName: string
  userCount: number
  /** In TB. */
  storageCapacity: number
  connectors: number
  /** Null: nothing is billed. */
  term: BillingTerm | null
  /** ISO 8601: when the paid time ends; empty: it has no end. */
  until: string
  /** Whether it is a trial, which ends then, and is paid from then on; undefined: it is not. */
  isTrial?: true
  /** What is planned for it at the card provider, and dropped; undefined: nothing. */
  planned?: PlannedChange
  /** What the new Owner's card is charged then, before tax, in minor units; undefined: nothing, and it ends. */
  charge?: { amount: number; currency: string }
  /** Without `charge`: what is charged then if it goes on after all; undefined: it cannot. */
  renewal?: Renewal
  /** Of a year that is paid by the month, and goes on for who keeps to it: until when, and whether it ends then; undefined: nothing binds. */
  commitment?: { until: string; ends: boolean }
  /** Without both: what would be charged if the recipient were not billed in another currency. */
  otherCurrency?: Renewal
}

/** An amount before tax, in minor units. */
interface Renewal {
  amount: number
  currency: string
  /** Whether it goes on by itself if the recipient has a card when the codes are used; otherwise they turn auto-renewal on. */
  needsOnlyCard: boolean
}

/** What the recipient is told, and accepts by giving their code. */
export interface Offer {
  subscriptions: readonly OfferedSubscription[]
  /** The recipient's default card; undefined: there is none. */
  card?: { brand: string; last4: string }
  /** The only currency in which the card provider can bill the recipient; undefined: none yet, or unknown. */
  currency?: string
}

/** A pair of codes that was sent; only the sender's newest one is valid. */
export const transferCodes = account.table(
  'transfer_codes',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** Who transfers. */
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    recipientId: uuid('recipient_id')
      .notNull()
      .references(() => members.id),
    /** The recipient's address, to which theirs was sent. */
    email: text('email').notNull(),
    currentHash: text('current_hash').notNull(),
    recipientHash: text('recipient_hash').notNull(),
    currentTriesLeft: integer('current_tries_left').notNull(),
    recipientTriesLeft: integer('recipient_tries_left').notNull(),
    offer: jsonb('offer').$type<Offer>().notNull(),
    sentAt: timestamp('sent_at', { withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    /** Once the transfer is made. */
    usedAt: timestamp('used_at', { withTimezone: true }),
  },
  (table) => [
    index('transfer_codes_of_member').on(table.memberId, table.sentAt.desc()),
    // For retention.
    index('transfer_codes_sent').on(table.sentAt),
  ],
)

/** A transfer that was made. */
export const transfers = account.table(
  'transfers',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** Who had the subscriptions. */
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    recipientId: uuid('recipient_id')
      .notNull()
      .references(() => members.id),
    subscriptionIds: text('subscription_ids').array().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    index('transfers_of_member').on(table.memberId, table.createdAt.desc()),
    index('transfers_of_recipient').on(table.recipientId, table.createdAt.desc()),
  ],
)
