import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../deps.ts'
import { publishEvent } from '../events/events.writes.ts'
import type { SubscriptionChange } from './projection.writes.ts'
import { emailOfChange } from './subscription-emails.rules.ts'
import { emailOwner } from './subscription-emails.writes.ts'

type Needs = Pick<Deps, 'clock' | 'config' | 'jobs'>

/** Tells the vendor's systems of a change, and the Owner what happened; in the transaction of the change. */
export async function announceChange(
  deps: Needs,
  tx: Tx,
  { id, before, after, changed }: SubscriptionChange,
): Promise<void> {
  const now = deps.clock()
  const { status, productCode, userCount, periodEnd, cancelAt, endedAt } = after
  const data = { subscriptionId: id, changed, status, productCode, userCount, periodEnd, cancelAt, endedAt }
  await publishEvent(deps, tx, { type: 'subscription.changed', data, now })
  const email = emailOfChange(before, after, now)
  if (email) await emailOwner(deps, tx, { id, email })
}
