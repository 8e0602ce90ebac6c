import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, asc, eq, inArray, isNull, ne, or } from 'drizzle-orm'
import { lockCaller } from '../../../db/members.queries.ts'
import type { Deps } from '../../../deps.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { record } from '../../activity/activity.writes.ts'
import { publishEvent } from '../../events/events.writes.ts'
import { isTypedPurchase, linkOfCustomer } from '../../payments/customers/customers.queries.ts'
import { unlinkCustomers } from '../../payments/customers/customers.writes.ts'
import { isProven } from '../../payments/customers/link-proofs.rules.ts'
import { openOperationOn } from '../../payments/operations/operations.queries.ts'
import { storeUnmatched } from '../../payments/unmatched/unmatched.writes.ts'
import { isKnownByAddress } from '../known-by-address.rules.ts'
import { ownedSubscription } from '../owned-subscription.ts'
import { seats } from '../seats.tables.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { hasOwnCardAt } from './own-cards.queries.ts'
import { addNobody, reassignPurchases } from './reassign.writes.ts'

/**
 * A subscription that only a typed address made the member's is somebody else's: with it goes all that the same customer of the card
 * provider bought. Whoever pays goes on paying; the vendor sees it among the purchases that are nobody's.
 * @throws Problem `not_found`, `not_owner`, `purchase_proven`, `own_card_on_file`, `others_hold_seats`, `subscription_change_pending`,
 * `payment_provider_unavailable`
 */
export async function declineSubscription(deps: Deps, member: Member, sid: string): Promise<{ declined: number }> {
  const { listed } = await ownedSubscription(deps.db, deps, member, sid)
  if (!isKnownByAddress(listed)) throw new Problem('purchase_proven')
  const { customerId } = listed
  const billed = customerId === null ? [] : await invoicesOf(deps, customerId)
  return deps.db.transaction(async (tx) => {
    const now = deps.clock()
    await lockCaller(tx, member)
    const rows = await lockPurchase(tx, member, { sid, customerId })
    const link = customerId === null ? undefined : await linkOfCustomer(tx, customerId)
    await expectDeclinable(tx, member, rows)
    if (customerId !== null && (await hasOwnCardAt(tx, member, { customerId }))) throw new Problem('own_card_on_file')
    const memberId = await addNobody(tx, now)
    // Something else that was bought there is proven to be somebody's, and so is what was bought once.
    const isProvenLink = link !== undefined && isProven(link.proof)
    const invoiceIds = isProvenLink ? [] : billed
    await reassignPurchases(tx, { rows, invoiceIds, memberId, proof: 'address', now })
    if (customerId !== null && link?.memberId === member.id && !isProvenLink) await unlinkCustomers(tx, [customerId])
    for (const row of rows) await tell(deps, tx, member, { row, now })
    return { declined: rows.length }
  })
}

async function invoicesOf({ cards }: Pick<Deps, 'cards'>, customerId: string): Promise<string[]> {
  try {
    return await cards.invoiceIdsOf(customerId)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (error.kind === 'missing') return []
    throw new Problem('payment_provider_unavailable', { retryAfter: 5, cause: error })
  }
}

interface Purchase {
  sid: string
  /** The card provider's; null: PayPal has it. */
  customerId: string | null
}

/**
 * The subscription, its add-ons, and what the same customer bought, as far as nothing but an address says whose it is: a card of the member's
 * own, put on file meanwhile, is proof.
 * @throws Problem `not_found`, `purchase_proven`
 */
async function lockPurchase(tx: Tx, member: Member, { sid, customerId }: Purchase): Promise<SubscriptionRow[]> {
  const { id, parentId, memberId, proof, channel } = subscriptions
  const isAddOn = and(eq(parentId, sid), eq(channel, 'paypal'), eq(proof, 'address'))
  const isOfCustomer = customerId === null ? undefined : eq(subscriptions.customerId, customerId)
  const locked = await tx
    .select({ row: subscriptions, isTyped: isTypedPurchase(subscriptions) })
    .from(subscriptions)
    .where(and(eq(memberId, member.id), or(eq(id, sid), isAddOn, isOfCustomer)))
    .orderBy(asc(id))
    .for('update')
  if (!locked.some(({ row }) => row.id === sid)) throw new Problem('not_found')
  const typed = locked.filter(({ row, isTyped }) => isKnownByAddress({ ...row, isTyped })).map(({ row }) => row)
  if (!typed.some((row) => row.id === sid)) throw new Problem('purchase_proven')
  return typed
}

/** @throws Problem `subscription_change_pending`, `others_hold_seats` */
async function expectDeclinable(tx: Tx, member: Member, rows: readonly SubscriptionRow[]): Promise<void> {
  for (const { providerId } of rows) {
    const open = providerId === null ? undefined : await openOperationOn(tx, providerId)
    if (open) throw new Problem('subscription_change_pending', { retryAfter: 5 })
  }
  const ids = rows.map(({ id }) => id)
  const isOthers = or(isNull(seats.memberId), ne(seats.memberId, member.id))
  const held = await tx.$count(seats, and(inArray(seats.subscriptionId, ids), isNull(seats.removedAt), isOthers))
  if (held > 0) throw new Problem('others_hold_seats')
}

async function tell(deps: Deps, tx: Tx, member: Member, { row, now }: { row: SubscriptionRow; now: Date }) {
  const { id, channel, createdAt: boughtAt } = row
  const provider = channel === 'paypal' ? channel : 'card'
  const [providerId, customerId] = [row.providerId ?? id, row.customerId ?? '']
  const object = { provider, kind: 'subscription', objectId: providerId, customerId } as const
  await storeUnmatched(tx, { ...object, reason: 'not_mine', memberId: member.id, boughtAt, createdAt: now })
  await record(tx, member, { action: 'subscription.declined', target: id, now })
  await publishEvent(deps, tx, { type: 'purchase.not_mine', data: { provider, providerId, customerId }, now })
}
