import { changePlanFrom } from '@atrium/contract/plan-changes.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { problemWithData } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { unresolvedOf } from '../../payments/operations/operations.queries.ts'
import type { OperationRow } from '../../payments/operations/operations.tables.ts'
import { codes } from '../change-outcome.ts'
import { OrderOutcome } from '../paypal-change/ordered-change.ts'
import { openChangeOf, quotedKinds } from './open-change.queries.ts'

/**
 * Refuses what could not be paid for: a change or renewal whose payment is open comes first. The page continues it by
 * `member-plan-place`, or drops it.
 * @throws Problem `subscription_change_pending`
 */
export async function expectNothingWaiting({ db }: Deps, member: Member, sid: string): Promise<void> {
  const open = await unresolvedOf(db, member, { kinds: quotedKinds, subject: sid })
  const first = open.find(isInTheWay)
  if (first) throw problemWithData(changePlanFrom, codes.excluded, await openChangeOf(db, first))
}

/** An order at PayPal that nobody has approved gives way to the next one. */
function isInTheWay({ kind, result }: OperationRow): boolean {
  return kind !== 'subscription.change_by_order' || OrderOutcome.parse(result).captureId !== ''
}
