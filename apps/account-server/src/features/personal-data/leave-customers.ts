import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, exists, inArray, isNotNull, ne, not } from 'drizzle-orm'
import { removalsOfCards } from '../cards/own-cards.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { unlinkCustomers } from '../payments/customers/customers.writes.ts'
import { isWhollyProven } from '../payments/customers/link-proofs.rules.ts'
import { insertFollowUps } from '../payments/operations/perform-operation.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { movedObjects } from '../subscriptions/moving/moved-objects.tables.ts'
import type { AccessAt } from '../subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { deleteCustomer } from './delete-customer.ts'
import { runs } from './obstacles.queries.ts'

interface Leaving extends AccessAt {
  memberId: string
  erasureId: string
}

/** What becomes of an erased member's customers at the card provider, by its ids. */
export interface LeftCustomers {
  /** They are deleted there afterwards; not those that the vendor has deleted there. */
  deleted: readonly string[]
  /** They were not wholly proven: they may be somebody else, and stay there. */
  detached: readonly string[]
  /** They stay since a subscription is there that is not the member's, and would end with the customer. */
  shared: readonly string[]
}

/**
 * Deletes the member's customers at the card provider: the reconciler calls it, until it is done, so that a provider that is away does
 * not stop an erasure. One that is not wholly proven, or at which somebody else's subscription runs, is no longer linked, and stays there,
 * without the member's own cards; nor is one linked that the vendor has deleted there.
 */
export async function leaveCustomers(tx: Tx, { memberId, erasureId, ...at }: Leaving): Promise<LeftCustomers> {
  const rows = await tx.select().from(providerCustomers).where(eq(providerCustomers.memberId, memberId))
  const idsOf = (some: typeof rows) => some.map(({ customerId }) => customerId)
  const gone = idsOf(rows.filter(({ isDeleted }) => isDeleted))
  const customers = rows.filter(({ isDeleted }) => !isDeleted)
  const detached = idsOf(customers.filter((customer) => !isWhollyProven(customer)))
  const proven = idsOf(customers.filter(isWhollyProven))
  const shared = await sharedOf(tx, { memberId, customerIds: proven, at })
  const deleted = proven.filter((id) => !shared.includes(id))
  const deletions = deleted.map((customerId) => {
    const plan = { subject: customerId, objectId: customerId, input: { customerId } }
    return { definition: deleteCustomer, plan }
  })
  const next = [...deletions, ...(await removalsOfCards(tx, { id: memberId }, [...deleted, ...gone]))]
  const from = { memberId, address: null, requestId: 'operator', parentId: erasureId }
  await insertFollowUps(tx, { ...from, next, now: at.now })
  await unlinkCustomers(tx, [...detached, ...shared, ...gone])
  return { deleted, detached, shared }
}

interface Sharing {
  memberId: string
  customerIds: string[]
  at: AccessAt
}

/** Those of a member's customers at which a subscription runs, or waits, that is not theirs. What a transfer has left there stands for nothing. */
async function sharedOf(tx: Tx, { memberId, customerIds, at }: Sharing): Promise<string[]> {
  const { customerId, memberId: owner, providerId } = subscriptions
  const running = await tx
    .selectDistinct({ id: customerId })
    .from(subscriptions)
    .where(and(inArray(customerId, customerIds), ne(owner, memberId), isNotNull(providerId), runs(at)))

  const { customerId: ofPurchase, kind, objectId } = unmatchedPurchases
  const isOwn = and(eq(providerId, objectId), eq(owner, memberId))
  const own = tx.select({ id: subscriptions.id }).from(subscriptions).where(isOwn)
  const moved = tx
    .select({ id: movedObjects.providerId })
    .from(movedObjects)
    .where(eq(movedObjects.providerId, objectId))
  const waiting = await tx
    .selectDistinct({ id: ofPurchase })
    .from(unmatchedPurchases)
    .where(and(inArray(ofPurchase, customerIds), eq(kind, 'subscription'), not(exists(own)), not(exists(moved))))
  const found = new Set([...running, ...waiting].map(({ id }) => id))
  return customerIds.filter((id) => found.has(id))
}
