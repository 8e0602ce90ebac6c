import { sql } from 'drizzle-orm'
import { lockedCustomer } from '../customers/customers.writes.ts'
import type { Call } from '../requests/call.ts'
import { find, findLocked, forgetRead } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { invalidRequest, noSuch, type Refusal } from '../wire/refusal.ts'
import type { StoredSubscription } from './invoice-outcome.ts'

/**
 * Locks a subscription, after its customer: everything of billing takes locks in this order.
 * @throws Refusal if it does not exist
 */
export async function lockedSubscription(call: Call, id: string): Promise<StoredSubscription> {
  const seen = await find(call.tx, 'subscription', id)
  if (!seen) throw noSuchSubscription(id)
  await lockedCustomer(call.tx, idOf(seen.object.customer) ?? '')
  const found = await findLocked(call.tx, 'subscription', id)
  if (!found) throw noSuchSubscription(id)
  return found
}

/**
 * One request at a time changes an object: the second is refused, and does not wait.
 * @throws Refusal 429
 */
export async function refuseConcurrent(call: Call, id: string): Promise<void> {
  const { rows } = await call.tx.execute(sql`select pg_try_advisory_xact_lock(hashtextextended(${id}, 0)) as locked`)
  forgetRead(call.tx)
  if (rows[0]?.locked === true) return
  throw invalidRequest(
    'This object cannot be accessed right now because another API request or the provider is currently accessing it.',
    { code: 'lock_timeout', status: 429 },
  )
}

function noSuchSubscription(id: string): Refusal {
  return noSuch('subscription', id, { param: 'id', status: 404 })
}
