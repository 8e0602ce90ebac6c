import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { and, eq, gt, inArray, isNotNull, ne, notExists, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { daysLater } from '../../../db/calendar.rules.ts'
import { lockMember } from '../../../db/members.queries.ts'
import type { Deps } from '../../../deps.ts'
import { providerOperations } from '../../payments/operations/operations.tables.ts'
import { type Child, callFollowUps, insertFollowUps } from '../../payments/operations/perform-operation.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { cancelAtPaypal } from './cancel-at-paypal.operations.ts'

export async function cancelAtPaypalJobs(jobs: Jobs, deps: Deps): Promise<void> {
  await jobs.schedule('subscriptions.cancel_at_paypal', '17 * * * *', () => cancelEndedAtPaypal(deps))
}

/** After so many days without this job, what ended stays suspended. */
const searchedDays = 30
const atOnce = 200
const providersMs = 15_000

/**
 * Cancels at PayPal what Atrium suspended there, for its Owner or in a transfer, once it has ended here, or goes on with a card of its
 * new Owner. Twice at once, it cancels once.
 */
export async function cancelEndedAtPaypal(deps: Deps): Promise<void> {
  const children: Child[] = []
  for (const suspension of await suspendedAndEnded(deps)) children.push(...(await followUpOf(deps, suspension)))
  await callFollowUps(deps, children, { withinMs: providersMs })
}

type Suspension = Awaited<ReturnType<typeof suspendedAndEnded>>[number]

function suspendedAndEnded({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const { id, memberId, requestId, objectId, provider, kind, subject, status } = providerOperations
  const { id: subscriptionId, status: state, cancelAt, endedAt, providerId } = subscriptions
  const isSuspension = inArray(kind, ['subscription.turn_off_renewal', 'subscription.end_moved'])
  const hasEnded = and(eq(state, 'canceled'), isNotNull(cancelAt), gt(endedAt, daysLater(clock(), -searchedDays)))
  // Also of what its old Owner had turned off.
  const isContinued = ne(providerId, objectId)
  const canceling = alias(providerOperations, 'canceling')
  const isCanceling = and(eq(canceling.objectId, objectId), eq(canceling.kind, 'subscription.cancel_at_paypal'))
  return db
    .selectDistinctOn([objectId], { id, memberId, requestId, objectId })
    .from(providerOperations)
    .innerJoin(subscriptions, and(eq(subscriptionId, subject), or(hasEnded, isContinued)))
    .where(
      and(
        ...[eq(provider, 'paypal'), isSuspension, eq(status, 'succeeded'), isNotNull(objectId)],
        notExists(db.select({ id: canceling.id }).from(canceling).where(isCanceling)),
      ),
    )
    .limit(atOnce)
}

async function followUpOf(deps: Deps, { id: parentId, memberId, requestId, objectId }: Suspension): Promise<Child[]> {
  if (objectId === null) return []
  return deps.db.transaction(async (tx) => {
    await lockMember(tx, { id: memberId })
    const isThere = and(eq(providerOperations.objectId, objectId), eq(providerOperations.kind, cancelAtPaypal.kind))
    if ((await tx.$count(providerOperations, isThere)) > 0) return []
    const plan = { subject: objectId, input: { providerId: objectId }, objectId }
    const next = [{ definition: cancelAtPaypal, plan }]
    return insertFollowUps(tx, { memberId, address: null, requestId, parentId, next, now: deps.wallClock() })
  })
}
