import { isDeepStrictEqual } from 'node:util'
import type { EndpointAnswer, EndpointInput } from '@atrium/contract/endpoint.ts'
import type { subscriptionTransfer, Transferable } from '@atrium/contract/transfers.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { IdempotencyKey } from '@atrium/server-kit/idempotency-key.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import { claimKey, isKeyUsed } from '../../db/idempotency-keys.writes.ts'
import { lockMember } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { type Child, callFollowUps } from '../payments/operations/perform-operation.ts'
import { areUsable, checkCodes } from './check-codes.service.ts'
import { expectRecipient, standingOf } from './transfer-eligibility.service.ts'
import { lastUsedCodes, lockNewestCodes, lockOwnSubscriptions } from './transfers.queries.ts'
import { offerOf, transferable } from './transfers.rules.ts'
import { type OfferedSubscription, transferCodes } from './transfers.tables.ts'
import { moveAll } from './transfers.writes.ts'

interface Request extends Pick<EndpointInput<typeof subscriptionTransfer>, 'body'> {
  idempotencyKey: IdempotencyKey | undefined
}

type Answer = EndpointAnswer<typeof subscriptionTransfer>

/** Milliseconds that the answer waits for the providers; the reconciler does the rest. */
const providersMs = 4000

/**
 * Moves a member's subscriptions to the recipient, with both codes, in one transaction; what must happen at the providers follows
 * as operations (behaviour.md, "Transfer"). A repeated request with the same key is answered as the first one was.
 * @throws Problem `codes_void`, `invalid`, `transfer_not_possible`, `transfer_not_allowed`, `transfer_changed`
 */
export async function transferSubscriptions(deps: Deps, member: Member, request: Request): Promise<Answer> {
  const { body, idempotencyKey } = request
  const codes = await checkCodes(deps, member, body).catch(async (error: unknown) => {
    // The first of two equal requests has used them.
    if (!(await isKeyUsed(deps.db, member, idempotencyKey))) throw error
    return undefined
  })
  if (!codes) return answerOfLast(deps, member)

  const followUps = await deps.db.transaction(async (tx): Promise<readonly Child[] | undefined> => {
    await lockBoth(tx, [member.id, codes.recipientId])
    const { isNew } = await claimKey(tx, member, { idempotencyKey, now: deps.wallClock() })
    return isNew ? transferIn(deps, tx, member, codes.id) : undefined
  })
  if (followUps) await callFollowUps(deps, followUps, { withinMs: providersMs })
  return answerOfLast(deps, member)
}

/** Members are locked in the order of their ids, so that two transfers between the same people cannot block each other. */
async function lockBoth(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const id of [...new Set(ids)].sort()) await lockMember(tx, { id })
}

async function transferIn(deps: Deps, tx: Tx, member: Member, codesId: string): Promise<readonly Child[]> {
  const codes = await lockNewestCodes(tx, member)
  if (!codes || codes.id !== codesId || !areUsable(codes, deps.wallClock())) throw new Problem('codes_void')
  await lockOwnSubscriptions(tx, member)
  const { moving, recipient } = await expectRecipient(deps, tx, member, codes.email)
  // Exactly what the recipient was told, and nothing else.
  const isAsTold =
    recipient.id === codes.recipientId && isDeepStrictEqual(offerOf(moving, codes.offer.card), codes.offer)
  if (!isAsTold) throw new Problem('transfer_changed')

  await tx.update(transferCodes).set({ usedAt: deps.wallClock() }).where(eq(transferCodes.id, codes.id))
  return moveAll(deps, tx, { member, recipient, moving, offer: codes.offer })
}

/** What a member's last transfer moved, as both were told, and what is left. */
async function answerOfLast(deps: Deps, member: Member): Promise<Answer> {
  const codes = await lastUsedCodes(deps.db, member)
  if (!codes) throw new Error('the transfer was not stored')
  const { staying } = await standingOf(deps, deps.db, member)
  return { email: codes.email, moved: codes.offer.subscriptions.map(movedOf), stays: staying.map(transferable) }
}

function movedOf({ subscriptionId, productName, connectors, ...offered }: OfferedSubscription): Transferable {
  const { userCount, storageCapacity, parentName } = offered
  const size = { userCount, storageCapacity, esignConnectors: connectors }
  return { stripeSubscriptionId: subscriptionId, appName: productName, ...size, parentName }
}
