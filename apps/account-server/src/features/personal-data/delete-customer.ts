import type { Reader } from '@atrium/server-kit/database.ts'
import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { removalsAt } from '../cards/own-cards.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { operation } from '../payments/operations/definition.ts'
import { movedObjects } from '../subscriptions/moving/moved-objects.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

/**
 * Deletes an erased member's customer at the card provider, with its cards; charges and invoices stay there. Always the follow-up of
 * an erasure, so that it is tried until it is done. Somebody else's subscription would end with the customer, and may have been bought
 * there since: then the customer stays, without the member's own cards.
 */
export const deleteCustomer = operation({
  kind: 'customer.delete',
  provider: 'card',
  input: z.object({ customerId: z.string() }),
  codes: { unavailable: 'card_provider_unavailable', unknown: 'card_provider_unavailable' },
  read: async () => undefined,
  decide: async () => ({ is: 'nothing_to_do' }),
  /** The provider says `missing` of a deleted customer and of one that it never had: the second may be another account's. */
  async call({ db, cards, logger }, { memberId, input: { customerId } }) {
    if (await cards.isCustomerDeleted(customerId)) return { customerId, stays: false }
    const others = await othersOf(db, memberId, await cards.runningSubscriptionsOf(customerId))
    if (others.length === 0) await cards.deleteCustomer(customerId)
    else
      logger.error({ customerId, others }, 'an erased member’s customer stays: somebody else’s subscription runs there')
    return { customerId, stays: others.length > 0 }
  },
  async find({ cards }, { input: { customerId } }) {
    return (await cards.isCustomerDeleted(customerId)) ? { customerId, stays: false } : undefined
  },
  async apply(tx, { memberId }, { found: { customerId, stays } }) {
    await tx
      .delete(providerCustomers)
      .where(and(eq(providerCustomers.memberId, memberId), eq(providerCustomers.customerId, customerId)))
    const next = stays ? await removalsAt(tx, { id: memberId }, customerId) : []
    return { status: 'succeeded', objectId: customerId, next }
  },
  refuse: () => ({ status: 'failed' }),
})

/** Which of the provider's subscriptions, by its ids, are not a member's. What a transfer has left there stands for nothing. */
async function othersOf(db: Reader, memberId: string, ids: readonly string[]): Promise<string[]> {
  const { providerId, memberId: owner } = subscriptions
  const isTheirs = and(inArray(providerId, [...ids]), eq(owner, memberId))
  const { providerId: movedId } = movedObjects
  const own = await db.select({ id: providerId }).from(subscriptions).where(isTheirs)
  const moved = await db
    .select({ id: movedId })
    .from(movedObjects)
    .where(inArray(movedId, [...ids]))
  return ids.filter((id) => ![...own, ...moved].some((known) => known.id === id))
}
