import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { addPayingCard } from '@atrium/contract/paying-cards.ts'
import { eq } from 'drizzle-orm'
import { payments } from '../app.ts'
import { linkCustomerCommand } from '../commands/link-customer.ts'
import { providerCustomers } from '../features/payments/customers/customers.tables.ts'
import { handleEvent } from '../features/payments/payments.jobs.ts'
import { unmatchedPurchases } from '../features/payments/unmatched/unmatched.tables.ts'
import { findPurchases } from '../features/subscriptions/purchases.sync.ts'
import { cardVendor } from './card-billing.ts'
import type { Sandbox } from './sandbox.ts'
import type { TestMember } from './world.ts'

const hears = { EVENT_URLS: 'http://localhost:1/events', EVENT_SECRET: `whsec_${'a'.repeat(32)}` }

/** Somebody has bought with a member's address at the vendor's shop, and has paid: a subscription, and something once. */
export async function typedPurchase(sandbox: Sandbox, settings: NodeJS.ProcessEnv = {}) {
  const world = await cardVendor(sandbox, { settings: { ...hears, ...settings } })
  const { stripe } = sandbox
  const customer = await stripe.customers.create({ email: world.buyer.email })
  const { id: method } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id })
  const lookupKey = `${world.product.code.toLowerCase()}-monthly-usd`
  const [price] = (await stripe.prices.list({ lookup_keys: [lookupKey] })).data
  const subscribe = async (more: { trial_period_days?: number } = {}) => {
    const items = [{ price: price?.id ?? '', quantity: 3 }]
    const billed = { customer: customer.id, items, default_payment_method: method, ...more }
    return (await stripe.subscriptions.create(billed)).id
  }
  const sid = await subscribe()
  const once = await stripe.invoices.create({ customer: customer.id, default_payment_method: method })
  await stripe.invoiceItems.create({ customer: customer.id, invoice: once.id, amount: 700, currency: 'usd' })
  await stripe.invoices.finalizeInvoice(once.id)
  await stripe.invoices.pay(once.id)
  await findPurchases(world.deps, world.buyer.id)
  const caller = world.as({ cookie: await world.session(world.buyer.id) })

  /** A new payment method, as the card form makes it. */
  async function typedCard(number = '378282246310005'): Promise<string> {
    const cvc = number.startsWith('37') ? '1234' : '123'
    const card = { number, exp_month: 12, exp_year: 2034, cvc }
    return (await stripe.paymentMethods.create({ type: 'card', card })).id
  }

  return {
    ...world,
    ...{ stripe, caller, sid, subscribe, typedCard, onceId: once.id, otherCustomer: customer.id, otherCard: method },
    findPurchases: (member: TestMember) => findPurchases(world.deps, member.id),
    ids: async (member?: TestMember) => (await world.listed(member)).map((one) => one.stripeSubscriptionId),
    async ordered(member?: TestMember) {
      const as = member ? world.as({ cookie: await world.session(member.id) }) : caller
      return (await as.send(listOnlineOrders, { query: {} })).body.list
    },
    unmatched: () => world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, sid)),
    async link() {
      const isCustomer = eq(providerCustomers.customerId, customer.id)
      return (await world.db.select().from(providerCustomers).where(isCustomer))[0]
    },
    /** The member puts a card of their own on file where the subscription is paid. */
    async payWithOwn(paymentMethodId?: string) {
      const body = { paymentMethodId: paymentMethodId ?? (await typedCard()) }
      const { status } = await caller.send(addPayingCard, { params: { sid }, body })
      return { status, ...body }
    },
    /** What the provider tells of the customer. */
    syncCustomer: () =>
      handleEvent(world.deps, payments.syncs, { provider: 'card', objectType: 'customer', objectId: customer.id }),
    async linkCustomer(email: string) {
      const run = linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare([email, customer.id])
      return run?.(world.db, () => undefined, { ...world.config, PAST_DUE_DAYS: 21, now: world.deps.clock() })
    },
  }
}
