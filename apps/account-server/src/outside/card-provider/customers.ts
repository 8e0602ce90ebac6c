import type Stripe from 'stripe'
import { callProvider } from './failure.ts'

interface NewCustomer {
  memberId: string
  email: string
  operationId: string
}

export interface ListedCustomer {
  id: string
  /** Lower case; empty if it has none. */
  email: string
  /** Of the member for whom Atrium created it; empty for others. */
  memberId: string
}

/** Customers of the card provider. */
export function customerCalls(stripe: Stripe) {
  return {
    /** @returns the provider's customer id, always the same for an operation */
    async createCustomer({ memberId, email, operationId }: NewCustomer): Promise<string> {
      const wanted = { email, metadata: { memberId } }
      return (await callProvider(() => stripe.customers.create(wanted, { idempotencyKey: operationId }))).id
    },

    /** The customer of a member, if one was created although the answer was lost. */
    async findCustomer({ memberId, email }: Omit<NewCustomer, 'operationId'>): Promise<string | undefined> {
      const { data } = await callProvider(() => stripe.customers.list({ email, limit: 100 }))
      return data.find(({ metadata }) => metadata.memberId === memberId)?.id
    },

    /** A page of all customers, newest first. @param after id of the last customer of the page before */
    async customersAfter(after?: string): Promise<{ customers: ListedCustomer[]; hasMore: boolean }> {
      const page = { limit: 100, ...(after && { starting_after: after }) }
      const { data, has_more: hasMore } = await callProvider(() => stripe.customers.list(page))
      return { customers: data.map(customerFrom), hasMore }
    },

    /** @returns undefined if the vendor deleted it there. Throws `missing` if it never existed. */
    async readCustomer(id: string): Promise<ListedCustomer | undefined> {
      const customer = await callProvider(() => stripe.customers.retrieve(id))
      return customer.deleted ? undefined : customerFrom(customer)
    },

    /** The only currency in which it can be billed, `USD`; undefined: none yet. Throws `missing` if it never existed. */
    async currencyOf(id: string): Promise<string | undefined> {
      const customer = await callProvider(() => stripe.customers.retrieve(id))
      return customer.deleted ? undefined : customer.currency?.toUpperCase()
    },

    /** Newest first. The provider compares addresses to the letter. */
    async customersOf(email: string): Promise<ListedCustomer[]> {
      const { data } = await callProvider(() => stripe.customers.list({ email, limit: 100 }))
      return data.map(customerFrom)
    },

    /** Whether the vendor deleted the customer there. Throws `missing` if it never existed. */
    async isCustomerDeleted(customerId: string): Promise<boolean> {
      return (await callProvider(() => stripe.customers.retrieve(customerId))).deleted === true
    },

    /** Also removes its cards, and cancels its subscriptions at once; charges and invoices stay. Throws `missing` if it is deleted already. */
    async deleteCustomer(customerId: string): Promise<void> {
      await callProvider(() => stripe.customers.del(customerId))
    },

    /** Name and address, which the provider uses for tax and receipts. */
    async updateCustomer(customerId: string, { name, address }: { name: string; address: Stripe.AddressParam }) {
      await callProvider(() => stripe.customers.update(customerId, { name, address }))
    },
  }
}

function customerFrom({ id, email, metadata }: Stripe.Customer): ListedCustomer {
  return { id, email: email?.toLowerCase() ?? '', memberId: metadata.memberId ?? '' }
}
