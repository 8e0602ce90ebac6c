import { isDeepStrictEqual } from 'node:util'
import type { EndpointAnswer, EndpointInput } from '@atrium/contract/endpoint.ts'
import type { subscriptionTransfer } from '@atrium/contract/transfers.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { IdempotencyKey } from '@atrium/server-kit/idempotency-key.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import { claimKey, isKeyUsed } from '../../db/idempotency-keys.writes.ts'
import { lockCaller, lockMember } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { soldPrices } from '../catalog/catalog.queries.ts'
import { type Child, callFollowUps } from '../payments/operations/perform-operation.ts'
import { areUsable, checkCodes } from './check-codes.service.ts'
import { payerOf } from './recipient-card.service.ts'
import { expectRecipient, readMoving, standingOf } from './transfer-eligibility.service.ts'
import { lastUsedCodes, lockNewestCodes, lockOwnSubscriptions } from './transfers.queries.ts'
import { awaitsCard, fateOf, offerOf, type Payer, stayingOf } from './transfers.rules.ts'
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
 * as operations. A repeated request with the same key is answered as the first one was.
 * @throws Problem `codes_void`, `codes_of_another`, `invalid`, `transfer_not_possible`, `transfer_not_allowed`, `transfer_changed`,
 *   `payment_provider_unavailable`
 */
export async function transferSubscriptions(deps: Deps, member: Member, request: Request): Promise<Answer> {
  const { body, idempotencyKey } = request
  const codes = await checkCodes(deps, member, body).catch(async (error: unknown) => {
    // The first of two equal requests has used them.
    if (!(await isKeyUsed(deps.db, member, idempotencyKey))) throw error
    return undefined
  })
  if (!codes) return answerOfLast(deps, member)

  await readMoving(deps, await standingOf(deps, deps.db, member))
  // Without one, the recipient was told that a card added until now pays for what follows.
  const payer = awaitsCard(codes.offer) ? await payerOf(deps, { id: codes.recipientId }) : codes.offer
  const followUps = await deps.db.transaction(async (tx): Promise<readonly Child[] | undefined> => {
    await lockBoth(tx, member, codes.recipientId)
    const { isNew } = await claimKey(tx, member, { idempotencyKey, now: deps.wallClock() })
    return isNew ? transferIn(deps, tx, member, { codesId: codes.id, payer }) : undefined
  })
  if (followUps) await callFollowUps(deps, followUps, { withinMs: providersMs })
  return answerOfLast(deps, member)
}

/** Members are locked in the order of their ids, so that two transfers between the same people cannot block each other. */
async function lockBoth(tx: Tx, sender: Member, recipientId: string): Promise<void> {
  for (const id of [...new Set([sender.id, recipientId])].sort()) {
    await (id === sender.id ? lockCaller(tx, sender) : lockMember(tx, { id }))
  }
}

interface Agreed {
  codesId: string
  /** The recipient, now. */
  payer: Payer
}

async function transferIn(deps: Deps, tx: Tx, member: Member, { codesId, payer }: Agreed): Promise<readonly Child[]> {
  const codes = await lockNewestCodes(tx, member)
  if (!codes || codes.id !== codesId || !areUsable(codes, deps.wallClock())) throw new Problem('codes_void')
  await lockOwnSubscriptions(tx, member)
  const { moving, recipient } = await expectRecipient(deps, tx, member, codes.email)
  // Exactly what the recipient was told, and nothing else.
  const prices = await soldPrices(tx, 'card')
  const { card, currency } = payer
  const before = offerOf(moving, { card: codes.offer.card, currency, prices })
  const isAsOffered =
    recipient.id === codes.recipientId && isDeepStrictEqual(before.subscriptions, codes.offer.subscriptions)
  if (!isAsOffered) throw new Problem('transfer_changed')

  const offer = offerOf(moving, { card, currency, prices })
  await tx.update(transferCodes).set({ usedAt: deps.wallClock(), offer }).where(eq(transferCodes.id, codes.id))
  return moveAll(deps, tx, { member, recipient, moving, offer, prices })
}

/** What a member's last transfer moved, as both were told, and what is left. */
async function answerOfLast(deps: Deps, member: Member): Promise<Answer> {
  const codes = await lastUsedCodes(deps.db, member)
  if (!codes) throw new Error('the transfer was not stored')
  const { staying } = await standingOf(deps, deps.db, member)
  return { email: codes.email, moved: codes.offer.subscriptions.map(movedOf), stays: staying.map(stayingOf) }
}

function movedOf(offered: OfferedSubscription): Answer['moved'][number] {
  const { subscriptionId, productName, connectors, userCount, storageCapacity, parentName, until, isTrial } = offered
  const size = { userCount, storageCapacity, esignConnectors: connectors }
  return {
    stripeSubscriptionId: subscriptionId,
    appName: productName,
    ...size,
    parentName,
    isTrial: isTrial ? 1 : 0,
    until,
    fate: fateOf(offered),
  }
}
