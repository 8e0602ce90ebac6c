import { bigint, boolean, jsonb, text, timestamp } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'
import type { PaidPlan } from './paypal-payments.tables.ts'

/** A cycle of a trial; it begins where the one before ends. */
export interface TrialCycle {
  /** ISO 8601. */
  endsAt: string
  /** What it costs for one, in minor units; 0: it is free. */
  amount: number
}

/**
 * The trial with which a subscription of PayPal has begun, as its first reading since then has shown it: PayPal shows the trial of now alone,
 * and its buyer can revise it to another plan. A revision begins none.
 */
export const paypalTrials = account.table('paypal_trials', {
  /** PayPal's subscription. */
  subscriptionId: text('subscription_id').primaryKey(),
  /** Of what it is. */
  plan: jsonb('plan').$type<PaidPlan>().notNull(),
  startsAt: timestamp('starts_at', { withTimezone: true }).notNull(),
  /** In their order; empty: it has begun without a trial. */
  cycles: jsonb('cycles').$type<readonly TrialCycle[]>().notNull(),
  /** What has to be paid before it begins, in minor units and before tax; 0: nothing. */
  setupFee: bigint('setup_fee', { mode: 'number' }).notNull(),
  /** PayPal's id of the payment of that; null: there is none. */
  feePaidBy: text('fee_paid_by'),
  /** Whether it does not count yet: its setup fee is not paid, or its terms are not the vendor's, and it is decided again. */
  isOpen: boolean('is_open').notNull(),
  decidedAt: timestamp('decided_at', { withTimezone: true }).notNull(),
})

export type DecidedTrial = Omit<typeof paypalTrials.$inferSelect, 'subscriptionId' | 'decidedAt'>
