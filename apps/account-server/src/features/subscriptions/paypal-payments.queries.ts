import type { Reader } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { type DecidedPayment, paypalPayments } from './paypal-payments.tables.ts'
import { type DecidedTrial, paypalTrials } from './paypal-trials.tables.ts'

/** What the payments of a subscription of PayPal were for, as far as that was decided, by their ids. */
export async function decidedPayments(
  db: Reader,
  subscriptionId: string,
): Promise<ReadonlyMap<string, DecidedPayment>> {
  const rows = await db.select().from(paypalPayments).where(eq(paypalPayments.subscriptionId, subscriptionId))
  return new Map(rows.map(({ subscriptionId: _, paymentId, decidedAt: __, ...decided }) => [paymentId, decided]))
}

/** The trial with which a subscription of PayPal has begun; undefined: it was not decided. */
export async function decidedTrial(db: Reader, subscriptionId: string): Promise<DecidedTrial | undefined> {
  const { plan, startsAt, cycles, setupFee, feePaidBy, isOpen } = paypalTrials
  const [row] = await db
    .select({ plan, startsAt, cycles, setupFee, feePaidBy, isOpen })
    .from(paypalTrials)
    .where(eq(paypalTrials.subscriptionId, subscriptionId))
  return row
}
