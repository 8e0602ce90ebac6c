import type { Reader } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../../deps.ts'
import type { TimedPayment } from '../../../outside/card-provider/paid-time.ts'
import type { BilledSubscription } from '../../../outside/card-provider/subscriptions.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { operationOfObject } from '../../payments/operations/operations.queries.ts'
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

/** Undefined: it was not transferred, or it goes on, or has ended with the customer of a member who was erased, or nothing was paid for the rest of its time. */
export async function withdrawnTime(
  { db, cards }: WithdrawnDeps,
  { id, customerId, endedAt }: Pick<BilledSubscription, 'id' | 'customerId' | 'endedAt'>,
): Promise<WithdrawnTime | undefined> {
  if (endedAt === null || !(await movedAtOf(db, id))) return undefined
  if (await hasEndedWithErasure(db, { customerId, endedAt })) return undefined
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

/** Whether it went on until the erasure of who had bought it: their customer is deleted then, and nobody has ended it for itself. */
async function hasEndedWithErasure(
  db: Reader,
  { customerId, endedAt }: { customerId: string; endedAt: Date },
): Promise<boolean> {
  const deletion = await operationOfObject(db, 'customer.delete', customerId)
  // The provider's moments are whole seconds.
  return deletion !== undefined && endedAt.getTime() > deletion.createdAt.getTime() - 1000
}
