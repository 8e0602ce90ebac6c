import { domainToUnicode } from 'node:url'
import { emailForm } from '@atrium/contract/email.ts'
import type Stripe from 'stripe'
import type { ObjectClaim } from '../billed-invoice.ts'
import { claimFrom } from './claims.ts'
import { callProvider } from './failure.ts'
import { longestPage, pagesOf, wholeList } from './lists.ts'

interface NewCustomer {
  memberId: string
  email: string
  operationId: string
}

export interface ListedCustomer extends ObjectClaim {
  id: string
  /** In its one form; empty if it has none. */
  email: string
}

export interface Fingerprint {
  paymentMethodId: string
  fingerprint: string
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

    /** Newest first. The provider compares addresses to the letter, and may have the domain as it was typed. */
    async customersOf(email: string): Promise<ListedCustomer[]> {
      const forms = new Set([email, email.replace(/[^@]+$/, domainToUnicode)])
      const found: ListedCustomer[] = []
      for (const form of forms) {
        const { data } = await callProvider(() => stripe.customers.list({ email: form, limit: 100 }))
        found.push(...data.map(customerFrom))
      }
      return found
    },

    /** Whether anything was ever paid by a customer, or, if one is named, for a subscription: an invoice of nothing does not count. */
    async hasPaid(paid: { customer: string } | { subscription: string }): Promise<boolean> {
      for (let after: string | undefined; ; ) {
        const page = { ...paid, status: 'paid', limit: longestPage, ...(after && { starting_after: after }) } as const
        const { data, has_more: hasMore } = await callProvider(() => stripe.invoices.list(page))
        if (data.some(isPaidFor)) return true
        after = data.at(-1)?.id
        if (!hasMore || !after) return false
      }
    },

    /**
     * What the invoices that a customer has paid, and the subscriptions, ended ones too, say about whose they are: a page at a time, so
     * that whoever has read enough stops. The newest invoices come first, since what was paid for is among the subscriptions then.
     */
    async *claimsOf(customer: string): AsyncGenerator<ObjectClaim[], void> {
      const invoices = pagesOf((page) => stripe.invoices.list({ customer, status: 'paid', ...page }))
      const newest = await invoices.next()
      if (!newest.done) yield newest.value.map(claimFrom)
      const subscriptions = pagesOf((page) => stripe.subscriptions.list({ customer, status: 'all', ...page }))
      for await (const page of subscriptions) yield page.map(claimFrom)
      for await (const page of invoices) yield page.map(claimFrom)
    },

    /**
     * The card with which a customer's first payment was made, or the first one for a subscription of theirs, by the day; undefined: there was
     * none, or something else paid.
     */
    async firstPayingCard(of: { customer: string; subscription?: string }): Promise<Fingerprint | undefined> {
      const invoices = await wholeList((page) => stripe.invoices.list({ ...of, status: 'paid', ...page }))
      const [first] = invoices
        .filter(isPaidFor)
        .toSorted((one, other) => paidAt(one) - paidAt(other) || one.created - other.created)
      if (!first) return undefined
      const page = { invoice: first.id, status: 'paid', limit: longestPage } as const
      const expand = ['data.payment.payment_intent.payment_method']
      const { data } = await callProvider(() => stripe.invoicePayments.list({ ...page, expand }))
      return data.flatMap(({ payment }) => fingerprintOfPayment(payment.payment_intent) ?? [])[0]
    },

    /** Fingerprints of the cards on file: the same card has the same one, whoever's customer it is attached to. */
    async fingerprintsOf(customer: string): Promise<Fingerprint[]> {
      const listing = (page: object) => stripe.paymentMethods.list({ customer, type: 'card', ...page })
      const methods = await wholeList(listing)
      return methods.flatMap(({ id: paymentMethodId, card }) =>
        card?.fingerprint ? [{ paymentMethodId, fingerprint: card.fingerprint }] : [],
      )
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

function paidAt({ status_transitions: { paid_at: at }, created }: Stripe.Invoice): number {
  return at ?? created
}

function fingerprintOfPayment(intent: string | Stripe.PaymentIntent | undefined): Fingerprint | undefined {
  const method = typeof intent === 'object' ? intent.payment_method : null
  const fingerprint = typeof method === 'object' ? method?.card?.fingerprint : null
  return typeof method === 'object' && method && fingerprint ? { paymentMethodId: method.id, fingerprint } : undefined
}

/** With money, at the provider or beside it. */
function isPaidFor({ amount_paid: paid, amount_paid_off_stripe: beside = 0 }: Stripe.Invoice): boolean {
  return paid > 0 || beside > 0
}

function customerFrom(customer: Stripe.Customer): ListedCustomer {
  return { id: customer.id, email: emailForm(customer.email ?? ''), ...claimFrom(customer) }
}
