import { changePlanFrom } from '@atrium/contract/plan-changes.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem, problemWithData } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { unresolvedOf } from '../../payments/operations/operations.queries.ts'
import type { OperationRow } from '../../payments/operations/operations.tables.ts'
import { giveUpOperation } from '../../payments/operations/perform-operation.ts'
import { codes } from '../change-outcome.ts'
import { OrderOutcome } from '../paypal-change/ordered-change.ts'
import { isWaiting, openChangeOf, quotedKinds } from './open-change.queries.ts'
import { isTimeUp } from './open-change.rules.ts'
import { changePlan } from './plan-change.operations.ts'

/**
 * Refuses what could not be paid for: a change or renewal whose payment is open comes first. The page continues it by
 * `member-plan-place`, or drops it.
 * @throws Problem `subscription_change_pending`; `change_expired`, once, if its time has run out; `payment_outcome_unknown`
 */
export async function expectNothingWaiting(deps: Deps, member: Member, sid: string): Promise<void> {
  const { db } = deps
  const open = await unresolvedOf(db, member, { kinds: quotedKinds, subject: sid })
  const first = open.find(isInTheWay)
  if (!first) return
  if (first.kind === changePlan.kind && isWaiting(first) && isTimeUp(first, deps.clock())) {
    const { problem } = await giveUpOperation(deps, changePlan, first)
    if (problem === 'change_expired') throw new Problem(problem)
    return
  }
  throw problemWithData(changePlanFrom, codes.excluded, await openChangeOf(db, first))
}

/** An order at PayPal that nobody has approved gives way to the next one. */
function isInTheWay({ kind, result }: OperationRow): boolean {
  return kind !== 'subscription.change_by_order' || OrderOutcome.parse(result).captureId !== ''
}
