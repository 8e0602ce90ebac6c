import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { addOnsOf, type ListedSubscription, subscriptionOfMember } from './subscription-list.queries.ts'
import { subscriptionRecord, viewOf } from './subscription-record.rules.ts'
import { accessNow } from './subscriptions.rules.ts'

/** A subscription of the member's own, with its add-ons. @throws Problem `not_found`, `not_owner` */
export async function ownedSubscription(db: Reader, deps: Deps, member: Member, sid: string) {
  const access = accessNow(deps)
  const listed = await subscriptionOfMember(db, member, { id: sid, access })
  if (!listed) throw new Problem('not_found')
  if (listed.role !== seatTypes.owner) throw new Problem('not_owner')
  return { listed, addOns: await addOnsOf(db, listed, { access }) }
}

/** The record that decides what may be done with it now. */
export function recordOf({ config, clock }: Pick<Deps, 'config' | 'clock'>, listed: ListedSubscription): Subscription {
  return subscriptionRecord(listed, viewOf(config, clock()))
}
