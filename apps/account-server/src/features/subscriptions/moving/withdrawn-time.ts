import type { Deps } from '../../../deps.ts'
import type { TimedPayment } from '../../../outside/card-provider/paid-time.ts'
import type { BilledSubscription } from '../../../outside/card-provider/subscriptions.ts'
import { movedAtOf } from './moving.queries.ts'

interface WithdrawnDeps extends Pick<Deps, 'db'> {
  cards: Pick<Deps['cards'], 'paymentsAfter'>
}

/** What a transfer has moved, and the vendor has ended at the card provider before its time was over. */
export interface WithdrawnTime {
  /** The moment from which on it would have gone on. */
  after: Date
  /** What was paid for the time from then on. */
  payments: readonly TimedPayment[]
}

/** A provider ends it some time after the moment that it names. */
const lateMs = 3_600_000

/** Undefined: it was not transferred, or it goes on, or nothing was paid for the rest of its time. */
export async function withdrawnTime(
  { db, cards }: WithdrawnDeps,
  { id, endedAt }: Pick<BilledSubscription, 'id' | 'endedAt'>,
): Promise<WithdrawnTime | undefined> {
  if (endedAt === null || !(await movedAtOf(db, id))) return undefined
  const after = new Date(endedAt.getTime() + lateMs)
  const payments = await cards.paymentsAfter(id, after)
  return payments.length === 0 ? undefined : { after, payments }
}
