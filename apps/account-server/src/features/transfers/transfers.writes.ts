import { randomUUID } from 'node:crypto'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { lockMember } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { record, recordIn } from '../activity/activity.writes.ts'
import { intervals } from '../catalog/provider-prices.rules.ts'
import { publishEvent } from '../events/events.writes.ts'
import { haveKeys } from '../licenses/licenses.queries.ts'
import { dropFormerHolder } from '../licenses/licenses.writes.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import type { NextOperation } from '../payments/operations/definition.ts'
import { type Child, insertFollowUps } from '../payments/operations/perform-operation.ts'
import { endMoved } from '../subscriptions/moving/moving.operations.ts'
import {
  billedId,
  commitmentMetadata,
  isBilledAgain,
  isBound,
  itemsToContinue,
  type SoldPrice,
} from '../subscriptions/moving/moving.rules.ts'
import { moveSubscription } from '../subscriptions/moving/moving.writes.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { moveOwnersSeat } from '../subscriptions/seats.writes.ts'
import type { SubscriptionRow } from '../subscriptions/subscriptions.tables.ts'
import { endInvitations } from '../team/invitations/invitations.writes.ts'
import { noteSeatChange } from '../team/users/seat-changes.writes.ts'
import { type OwnerChangedJob, ownerChangedQueue } from './owner-changed.jobs.ts'
import { doneEmails } from './transfer-emails.ts'
import type { OwnSubscription, Recipient } from './transfers.queries.ts'
import { type Offer, transfers } from './transfers.tables.ts'

interface Transfer {
  member: Member
  recipient: Recipient
  /** Locked. */
  moving: readonly OwnSubscription[]
  /** As the recipient was told. */
  offer: Offer
  /** The card provider's. */
  prices: readonly SoldPrice[]
}

/**
 * Moves locked subscriptions, with the Owners' seats, and stores what follows at the providers; with an email to each of both, a job that emails
 * the team, an activity row in both accounts, and an event for each subscription.
 */
export async function moveAll(deps: Deps, tx: Tx, transfer: Transfer): Promise<readonly Child[]> {
  const { member, recipient, moving, offer, prices } = transfer
  const now = deps.clock()
  const next: NextOperation[] = []
  const ids = moving.map(({ row }) => row.id)
  const id = randomUUID()
  await tx
    .insert(transfers)
    .values({ id, memberId: member.id, recipientId: recipient.id, subscriptionIds: ids, createdAt: now })
  for (const { row } of moving) {
    const offered = offer.subscriptions.find((one) => one.subscriptionId === row.id)
    const goesOn = offered?.charge !== undefined
    const isOtherCurrency = offered?.otherCurrency !== undefined
    const endsForGood = isOtherCurrency || (isBound(row) && !goesOn)
    const items = endsForGood ? [] : itemsToContinue(row, prices)
    await withdrawInvitation(deps, tx, { transfer, subscriptionId: row.id })
    await moveSubscription(tx, { row, memberId: recipient.id, goesOn, items, isOtherCurrency, now })
    await moveOwnersSeat(tx, { subscriptionId: row.id, to: recipient })
    const data = { transferId: id, subscriptionId: row.id, fromEmail: member.email, toEmail: recipient.email }
    await publishEvent(deps, tx, { type: 'subscription.transferred', data, now })
    next.push(...endOf(row, goesOn))
  }
  await dropFormerHolder(tx, member.id, ids)
  const details = { subscriptionIds: ids, fromEmail: member.email, toEmail: recipient.email }
  const happening = { action: 'subscriptions.transferred' as const, target: id, details, now }
  await record(tx, member, happening)
  await recordIn(tx, recipient.id, member, happening)
  await emailBoth(deps, tx, transfer)
  await deps.jobs.send(tx, ownerChangedQueue, { transferId: id } satisfies OwnerChangedJob)
  // The recipient's from now on; the address is the sender's.
  const from = { memberId: recipient.id, address: null, requestId: member.requestId, parentId: id }
  return insertFollowUps(tx, { ...from, next, now: deps.wallClock() })
}

/** What the old Owner pays for ends with its period; what ends already, or is billed nowhere, is left as it is. */
function endOf(row: SubscriptionRow, goesOn: boolean): readonly NextOperation[] {
  const { id: subscriptionId, periodEnd, trialEnd, status, term, channel, cancelAt, providerItems } = row
  const providerId = billedId(row)
  if (providerId === null || !isBilledAgain(row)) return []
  const from = status === 'trialing' ? (trialEnd ?? periodEnd) : periodEnd
  const items = providerItems.map(({ priceId, quantity }) => ({ priceId, quantity }))
  const metadata = commitmentMetadata(row)
  const ends = cancelAt && { endsAt: cancelAt.toISOString() }
  const every = term && intervals[term]
  const continuing =
    goesOn && from && every ? { subscriptionId, items, from: from.toISOString(), every, metadata, ...ends } : undefined
  const input = { providerId, ...(from && { until: from.toISOString() }), ...(continuing && { goesOn: continuing }) }
  const provider = channel === 'paypal' ? channel : 'card'
  return [{ definition: endMoved, plan: { subject: subscriptionId, provider, input, objectId: providerId } }]
}

/** The recipient may be invited as a user: now they are the Owner. */
async function withdrawInvitation(
  deps: Deps,
  tx: Tx,
  { transfer: { member, recipient }, subscriptionId }: { transfer: Transfer; subscriptionId: string },
): Promise<void> {
  const now = deps.clock()
  const isInvited = and(eq(seats.email, recipient.email), eq(seats.status, 'Pending'), isNull(seats.removedAt))
  const withdrawn = await tx
    .update(seats)
    .set({ removedAt: now })
    .where(and(eq(seats.subscriptionId, subscriptionId), isInvited))
    .returning()
  for (const seat of withdrawn) {
    await endInvitations(tx, seat.id, 'withdrawn')
    await noteSeatChange(deps, tx, member, { happening: 'invitation_withdrawn', ownerId: member.id, seat, now })
  }
}

async function emailBoth(deps: Deps, tx: Tx, { member, recipient, moving, offer }: Transfer): Promise<void> {
  const sender = await lockMember(tx, member)
  if (!sender) throw new Error('the member is gone')
  const ids = moving.map(({ row }) => row.id)
  const emails = doneEmails(deps.config, { sender, recipient, offer, hasKeys: await haveKeys(tx, ids) })
  await sendEmail(deps, tx, { ...emails.sender, to: sender.email })
  await sendEmail(deps, tx, { ...emails.recipient, to: recipient.email })
}
