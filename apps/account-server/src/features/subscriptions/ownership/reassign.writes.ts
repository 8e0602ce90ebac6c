import { randomUUID } from 'node:crypto'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, exists, inArray, isNull, ne, not, notInArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { members } from '../../../db/members.tables.ts'
import { addressOfNobody, isErased, ownerRowOf } from '../../../db/nobody.queries.ts'
import { dropArchives } from '../../archives/archives.writes.ts'
import { orders } from '../../orders/orders.tables.ts'
import type { LinkProof } from '../../payments/customers/link-proofs.rules.ts'
import { changeQuotes } from '../plan-change/change-quotes.tables.ts'
import { isOfPerson } from '../seats.queries.ts'
import { seats } from '../seats.tables.ts'
import { addOwnersSeat } from '../seats.writes.ts'
import { forgetReminders } from '../subscription-notices.writes.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'

interface Reassignment {
  /** Locked. */
  rows: readonly SubscriptionRow[]
  /** The provider's ids of invoices of none of these. */
  invoiceIds?: readonly string[]
  /** Who has them from now on. */
  memberId: string
  /** How that is known; null: as their customer is. */
  proof: LinkProof | null
  now: Date
}

/**
 * Gives subscriptions, with their orders, to whoever they were always of: what the provider bills stays as it is. The Owner before loses
 * seat and devices; colleagues keep theirs. What the Owner before has paid by an order of PayPal is no payment of whose it is: it stays
 * theirs, with the name and address of its buyer. So do the orders of who was erased, whose invoices name them; to nobody, they go.
 */
export async function reassignPurchases(tx: Tx, { rows, invoiceIds = [], memberId, proof, now }: Reassignment) {
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await reassignSubscriptions(tx, { ids, memberId, proof, now })
  const providerIds = rows.flatMap(({ providerId }) => providerId ?? [])
  const atPaypal = rows.flatMap((row) => (row.channel === 'paypal' && row.providerId) || [])
  const isBilled = or(notInArray(orders.providerSubscriptionId, atPaypal), eq(orders.isOfChange, false))
  const isOfBilled = and(inArray(orders.providerSubscriptionId, providerIds), isBilled)
  const isOfThem = or(isOfBilled, inArray(orders.providerId, [...invoiceIds]))
  // Found among those of whoever had them: there is no index by subscription.
  const from = rows.map((row) => row.memberId)
  const isForNobody = (await ownerRowOf(tx, memberId)).isNobody
  await tx
    .update(orders)
    .set({ memberId })
    .where(and(inArray(orders.memberId, from), isOfThem, isForNobody ? undefined : not(isErased(orders.memberId))))
  await dropArchives(tx, from)
}

interface Given extends Pick<Reassignment, 'memberId' | 'proof' | 'now'> {
  ids: string[]
}

/** Without what they were paid for: what no provider bills has no orders. */
export async function reassignSubscriptions(tx: Tx, { ids, memberId, proof, now }: Given) {
  // That it was a further trial of the Owner before says nothing of who has it now.
  const trialProduct = sql`nullif(${subscriptions.trialProduct}, '')`
  await tx.update(subscriptions).set({ memberId, proof, trialProduct }).where(inArray(subscriptions.id, ids))
  await unlinkAddOns(tx, ids)
  await tx.delete(changeQuotes).where(inArray(changeQuotes.subscriptionId, ids))
  await forgetReminders(tx, ids)
  // The new Owner may have been a colleague there, or invited.
  const isOwnersOrTheirs = or(eq(seats.type, seatTypes.owner), isOfPerson(memberId))
  await tx
    .update(seats)
    .set({ removedAt: now })
    .where(and(inArray(seats.subscriptionId, ids), isNull(seats.removedAt), isOwnersOrTheirs))
  for (const subscriptionId of ids) await addOwnersSeat(tx, { subscriptionId, memberId, now })
}

/** An add-on belongs to nothing that another member has. */
async function unlinkAddOns(tx: Tx, ids: string[]) {
  const parents = alias(subscriptions, 'parents')
  const elsewhere = tx
    .select({ id: parents.id })
    .from(parents)
    .where(and(eq(parents.id, subscriptions.parentId), ne(parents.memberId, subscriptions.memberId)))
  const isOfThem = or(inArray(subscriptions.id, ids), inArray(subscriptions.parentId, ids))
  await tx
    .update(subscriptions)
    .set({ parentId: null })
    .where(and(isOfThem, exists(elsewhere)))
}

/** A row that stands for nobody, for what somebody has bought whom no member is: nobody signs in there, and no mail is sent. */
export async function addNobody(tx: Tx, now: Date): Promise<string> {
  const id = randomUUID()
  const row = { id, email: addressOfNobody(id), emailVerified: false, createdAt: now, erasedAt: now }
  await tx.insert(members).values(row)
  return id
}
