import type { Deps } from '../../../deps.ts'
import type { TimedPayment } from '../../../outside/card-provider/paid-time.ts'
import type { BilledSubscription } from '../../../outside/card-provider/subscriptions.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { movedAtOf, siblingsOf } from './moving.queries.ts'

interface WithdrawnDeps extends Pick<Deps, 'db'> {
  cards: Pick<Deps['cards'], 'paymentsAfter'>
}

/** What a transfer has moved, and the vendor has ended at the card provider before its time was over. */
export interface WithdrawnTime {
  /** The moment from which on it would have gone on. */
  after: Date
  /** What was paid for the time from then on, also with what stood or stands for it at the card provider before and since. */
  payments: readonly TimedPayment[]
  /** The provider's ids of all these. */
  objects: readonly string[]
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
  const own = await cards.paymentsAfter(id, after)
  if (own.length === 0) return undefined
  const withdrawn = { after, payments: [...own], objects: [id] }
  for (const other of await siblingsOf(db, id)) {
    const paid = await ifKnown(cards.paymentsAfter(other, after))
    if (!paid) continue
    withdrawn.payments.push(...paid)
    withdrawn.objects.push(other)
  }
  return withdrawn
}
