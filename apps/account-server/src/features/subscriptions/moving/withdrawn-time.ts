import type { Deps } from '../../../deps.ts'
import type { PaidTime } from '../../../outside/card-provider/paid-time.ts'
import type { BilledSubscription } from '../../../outside/card-provider/subscriptions.ts'
import { movedAtOf } from './moving.queries.ts'

interface PaidTimeDeps extends Pick<Deps, 'db'> {
  cards: Pick<Deps['cards'], 'paidTime'>
}

/** A provider ends it some time after the moment that it names. */
const lateMs = 3_600_000

/** What was paid of the time that a transfer has moved, and that the vendor has ended at the card provider before it was over. */
export async function withdrawnTime(
  { db, cards }: PaidTimeDeps,
  { id, endedAt }: Pick<BilledSubscription, 'id' | 'endedAt'>,
): Promise<PaidTime | undefined> {
  if (endedAt === null || !(await movedAtOf(db, id))) return undefined
  return cards.paidTime(id, new Date(endedAt.getTime() + lateMs))
}
