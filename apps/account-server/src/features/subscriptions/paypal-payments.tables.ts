import { jsonb, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

/**
 * `fee`: the setup fee, or what came before any cycle. `cycle`: a cycle of a plan. `trial`: one of a trial that costs something. `beside`: it
 * came within or before what another has paid for. `waiting`: nothing is granted for it until the operator accepts it.
 */
const purposes = ['fee', 'cycle', 'trial', 'beside', 'waiting'] as const

/** The columns of a subscription that a payment has bought. */
export type PaidPlan = Pick<
  SubscriptionRow,
  'productCode' | 'userCount' | 'storageCapacity' | 'connectors' | 'term' | 'price' | 'currency' | 'providerItems'
>

/**
 * What each payment of a subscription of PayPal was for, decided when it was read first, collected or not: PayPal does not say, and shows the
 * plan and quantity of now alone, which its buyer can change. Only what waits is decided again.
 */
export const paypalPayments = account.table(
  'paypal_payments',
  {
    /** PayPal's subscription. */
    subscriptionId: text('subscription_id').notNull(),
    /** PayPal's id of its sale; `retry of AMOUNT after ID`: what it could not collect after that one, and retries. */
    paymentId: text('payment_id').notNull(),
    purpose: text('purpose', { enum: purposes }).notNull(),
    /** Why it waits; null: it does not. */
    reason: text('reason', { enum: ['impossible_amount', 'price_overridden', 'paid_too_little'] }),
    /** What it was for; null: it waits, or came beside another. */
    plan: jsonb('plan').$type<PaidPlan>(),
    /** Of a cycle, also one of a trial; null: it was for none. */
    periodStart: timestamp('period_start', { withTimezone: true }),
    periodEnd: timestamp('period_end', { withTimezone: true }),
    /** The terms of the subscription when it was decided, in words; empty: an earlier version of this program has decided it. */
    terms: text('terms').notNull(),
    /** Since when readings have shown it collected, of what waits; null: it is held back, or was given back. */
    collectedAt: timestamp('collected_at', { withTimezone: true }),
    decidedAt: timestamp('decided_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.subscriptionId, table.paymentId] })],
)

export type DecidedPayment = Omit<typeof paypalPayments.$inferSelect, 'subscriptionId' | 'paymentId' | 'decidedAt'>
