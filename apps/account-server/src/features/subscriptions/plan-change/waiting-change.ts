import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { unresolvedOf } from '../../payments/operations/operations.queries.ts'
import type { OperationRow } from '../../payments/operations/operations.tables.ts'
import { codes } from '../change-outcome.ts'
import { OrderOutcome } from '../paypal-change/ordered-change.ts'

const byCard = ['subscription.change', 'subscription.renew'] as const
const byOrder = 'subscription.change_by_order'

/**
 * Refuses what could not be paid for: a change or renewal whose payment is open comes first. The page continues it by
 * `member-plan-place`.
 * @throws Problem `subscription_change_pending`
 */
export async function expectNothingWaiting({ db }: Deps, member: Member, sid: string): Promise<void> {
  const open = await unresolvedOf(db, member, { kinds: [...byCard, byOrder], subject: sid })
  if (open.some(isInTheWay)) throw new Problem(codes.excluded)
}

/** An order at PayPal that nobody has approved gives way to the next one. */
function isInTheWay({ kind, result }: OperationRow): boolean {
  return kind !== byOrder || OrderOutcome.parse(result).captureId !== ''
}
