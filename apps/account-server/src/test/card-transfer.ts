import { eq } from 'drizzle-orm'
import { providerCustomers } from '../features/payments/customers/customers.tables.ts'
import { providerOperations } from '../features/payments/operations/operations.tables.ts'
import { endSubscriptions } from '../features/subscriptions/subscriptions.jobs.ts'
import { cardVendor } from './card-billing.ts'
import type { Sandbox } from './sandbox.ts'
import { transfersIn } from './transfers.ts'
import type { TestMember } from './world.ts'

/** An Owner who pays by card, and a recipient with another card, or none. */
export async function cardTransfer(sandbox: Sandbox, { hasCard = true, hasOwnCatalog = false } = {}) {
  const world = await cardVendor(sandbox, { hasOwnCatalog })
  const recipient = await world.member({ firstName: 'Grace' })
  const { stripe } = sandbox
  async function customerFor({ id: memberId, email }: TestMember) {
    const made = await stripe.customers.create({ email })
    const row = { memberId, customerId: made.id, proof: 'ours', isMain: true, createdAt: world.deps.clock() } as const
    await world.db.insert(providerCustomers).values(row)
    return made
  }
  const customer = await customerFor(recipient)
  const addCard = () => world.payWith('pm_card_mastercard', customer.id)
  if (hasCard) await addCard()
  /** The card provider bills a customer in this currency only from now on. @param of left out: the recipient */
  async function billIn(currency: string, of = customer.id) {
    const { id } = await stripe.invoices.create({ customer: of, currency })
    await stripe.invoices.finalizeInvoice(id)
  }
  const transferring = transfersIn(world)
  return {
    ...world,
    ...transferring,
    ...{ recipient, stripe },
    recipientCustomerId: customer.id,
    addCard,
    billIn,
    giveCard: async (member: TestMember) => world.payWith('pm_card_mastercard', (await customerFor(member)).id),
    transferBetween: transferring.transfer,
    transfer: () => transferring.transfer(world.buyer, recipient),
    /** What the provider has for the recipient. */
    begun: async () => (await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data,
    /** What both were charged, beside the purchase. */
    async charged() {
      const all = [world.customerId, customer.id].map((id) => stripe.invoices.list({ customer: id }))
      return (await Promise.all(all)).flatMap(({ data }) => data.filter(({ amount_paid: paid }) => paid > 0)).length
    },
    /** Runs the hourly job that writes down ends. */
    endDue: () => endSubscriptions(world.deps),
    async removeCard() {
      const { data } = await stripe.paymentMethods.list({ customer: customer.id, type: 'card' })
      for (const { id } of data) await stripe.paymentMethods.detach(id)
    },
    operations: () =>
      world.db
        .select()
        .from(providerOperations)
        .where(eq(providerOperations.memberId, recipient.id))
        .orderBy(providerOperations.createdAt),
  }
}
