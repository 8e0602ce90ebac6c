import { excluded, type Tx } from '@atrium/server-kit/database.ts'
import { type DecidedPayment, paypalPayments } from './paypal-payments.tables.ts'
import { type DecidedTrial, paypalTrials } from './paypal-trials.tables.ts'

interface Decided {
  /** PayPal's id of it. */
  subscriptionId: string
  /** By the ids of the payments. */
  decided: ReadonlyMap<string, DecidedPayment>
  /** The one with which it began; left out: it has not, or it is stored. */
  trial?: DecidedTrial | undefined
  now: Date
}

/** Stores what payments were for, or are by now, and with which trial it began. */
export async function storeDecided(
  db: Pick<Tx, 'insert'>,
  { subscriptionId, decided, trial, now }: Decided,
): Promise<void> {
  if (trial) {
    const row = { ...trial, decidedAt: now }
    const target = paypalTrials.subscriptionId
    await db
      .insert(paypalTrials)
      .values({ subscriptionId, ...row })
      .onConflictDoUpdate({ target, set: row })
  }
  const rows = [...decided].map(([paymentId, one]) => ({ subscriptionId, paymentId, ...one, decidedAt: now }))
  if (rows.length === 0) return
  await db
    .insert(paypalPayments)
    .values(rows)
    .onConflictDoUpdate({
      target: [paypalPayments.subscriptionId, paypalPayments.paymentId],
      set: excluded(paypalPayments, [
        'purpose',
        'reason',
        'plan',
        'periodStart',
        'periodEnd',
        'terms',
        'collectedAt',
        'decidedAt',
      ]),
    })
}
