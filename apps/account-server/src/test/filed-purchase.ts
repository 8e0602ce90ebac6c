import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { linkCustomerCommand } from '../commands/link-customer.ts'
import { syncCustomers } from '../features/payments/customers/customers.sync.ts'
import { cardVendor } from './card-billing.ts'
import { load } from './import.ts'
import type { Sandbox } from './sandbox.ts'
import type { TestMember } from './world.ts'

interface Filed {
  /** The address that the provider's customer has. */
  typed: (email: string) => string
  settings?: NodeJS.ProcessEnv
}

/** Somebody has bought at the card provider, which nobody has read yet; no file has named anybody. */
export async function unreadPurchase(sandbox: Sandbox, { typed, settings = {} }: Filed) {
  const world = await cardVendor(sandbox, { settings })
  const { stripe } = sandbox
  const { product, buyer } = world
  const [named, payer] = [await world.member(), await world.member()]
  const { id: customer } = await stripe.customers.create({ email: typed(named.email) })
  const { id: method } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer })
  const { data } = await stripe.prices.list({ lookup_keys: [`${product.code.toLowerCase()}-monthly-usd`] })
  const items = [{ price: data[0]?.id ?? '', quantity: 3 }]
  const { id: sid } = await stripe.subscriptions.create({ customer, items, default_payment_method: method })
  const now = new Date().toISOString()

  const linesOf = ({ email }: TestMember) => [
    {
      ...{
        type: 'subscription',
        subscriptionId: sid,
        email,
        productCode: product.code,
        status: 'active',
        userCount: 3,
      },
      ...{ origin: 'online', channel: 'card', autoRenewal: true, periodStart: now, term: 'monthly' },
    },
    { type: 'seat', subscriptionId: sid, email, seatType: 2, status: 'Accepted', isUse: true, invited: now },
  ]

  async function read() {
    const { db, cards, config, clock } = world.deps
    await syncCustomers({ db, cards, config, now: clock(), say: () => undefined })
    await world.sync(sid)
    for (const invoice of (await stripe.invoices.list({ customer })).data) await world.syncInvoice(invoice.id)
  }

  const as = async (member: TestMember) => world.as({ cookie: await world.session(member.id) })
  return {
    ...world,
    ...{ stripe, named, payer, stranger: buyer, customer, sid, read, as },
    load: (member: TestMember) => load(world, linesOf(member)),
    /** Whether the purchase is a member's: how many subscriptions and orders they have. */
    async has(member: TestMember) {
      const { list } = (await (await as(member)).send(listOnlineOrders, { query: {} })).body
      return [(await world.listed(member)).length, list.length]
    },
    /** @returns what the command prints */
    async linkCustomer({ email }: TestMember) {
      const said: string[] = []
      const run = linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare([email, customer])
      const needs = { ...world.config, PAST_DUE_DAYS: 21, now: world.deps.clock() }
      return { code: await run?.(world.db, (line) => said.push(line), needs), said }
    },
  }
}

/** The vendor's file names a member as the Owner of what somebody has bought at the card provider; then the provider is read. */
export async function filedPurchase(sandbox: Sandbox, filed: Filed) {
  const world = await unreadPurchase(sandbox, filed)
  await world.load(world.named)
  await world.read()
  return world
}
