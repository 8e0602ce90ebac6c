import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { operation } from '../operations/definition.ts'
import { providerCustomers } from './customers.tables.ts'

/**
 * Deletes an erased member's customer at the card provider, with its cards; charges and invoices stay there. Always the follow-up of
 * an erasure, so that it is tried until it is done.
 */
export const deleteCustomer = operation({
  kind: 'customer.delete',
  provider: 'card',
  input: z.object({ customerId: z.string() }),
  codes: { unavailable: 'card_provider_unavailable', unknown: 'card_provider_unavailable' },
  read: async () => undefined,
  decide: async () => ({ is: 'nothing_to_do' }),
  /** The provider says `missing` of a deleted customer and of one that it never had: the second may be another account's. */
  async call({ cards }, { input: { customerId } }) {
    if (!(await cards.isCustomerDeleted(customerId))) await cards.deleteCustomer(customerId)
    return customerId
  },
  async find({ cards }, { input: { customerId } }) {
    return (await cards.isCustomerDeleted(customerId)) ? customerId : undefined
  },
  async apply(tx, { memberId }, { found: customerId }) {
    await tx
      .delete(providerCustomers)
      .where(and(eq(providerCustomers.memberId, memberId), eq(providerCustomers.customerId, customerId)))
    return { status: 'succeeded', objectId: customerId }
  },
  refuse: () => ({ status: 'failed' }),
})
