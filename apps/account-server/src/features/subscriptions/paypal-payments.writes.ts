import type { Tx } from '@atrium/server-kit/database.ts'
import { eq, sql } from 'drizzle-orm'
import { type DecidedPayment, paypalPayments } from './paypal-payments.tables.ts'

interface Decided {
  /** PayPal's id of it. */
  subscriptionId: string
  /** By the ids of the payments. */
  decided: ReadonlyMap<string, DecidedPayment>
  now: Date
}

/** Stores what payments were for. What another reading has decided meanwhile stays, unless it waits. */
export async function storeDecided(db: Pick<Tx, 'insert'>, { subscriptionId, decided, now }: Decided): Promise<void> {
  const rows = [...decided].map(([paymentId, one]) => ({ subscriptionId, paymentId, ...one, decidedAt: now }))
  if (rows.length === 0) return
  const { paymentId, purpose } = paypalPayments
  await db
    .insert(paypalPayments)
    .values(rows)
    .onConflictDoUpdate({
      target: [paypalPayments.subscriptionId, paymentId],
      set: {
        purpose: sql`excluded.purpose`,
        reason: sql`excluded.reason`,
        plan: sql`excluded.plan`,
        periodStart: sql`excluded.period_start`,
        periodEnd: sql`excluded.period_end`,
        terms: sql`excluded.terms`,
        decidedAt: sql`excluded.decided_at`,
      },
      setWhere: eq(purpose, 'waiting'),
    })
}
