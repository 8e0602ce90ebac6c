import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { expect, test } from 'vitest'
import { cardVendor } from '../../../test/card-billing.ts'
import { load } from '../../../test/import.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import type { TestMember } from '../../../test/world.ts'
import { syncCustomers } from '../../payments/customers/customers.sync.ts'

const sandbox = await sandboxOfFile()

test.each([
  ['another member’s', (email: string) => email],
  ['nobody’s', (email: string) => `accounts-${email}`],
])(
  'what a file says is somebody’s is theirs, with its orders, though its customer has %s address',
  async (_whose, of) => {
    await using world = await cardVendor(sandbox)
    const { stripe } = sandbox
    const { buyer: other, product } = world
    const owner = await world.member()
    const customer = await stripe.customers.create({ email: of(other.email) })
    const { id: method } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id })
    const { data } = await stripe.prices.list({ lookup_keys: [`${product.code.toLowerCase()}-monthly-usd`] })
    const items = [{ price: data[0]?.id ?? '', quantity: 3 }]
    const { id } = await stripe.subscriptions.create({ customer: customer.id, items, default_payment_method: method })
    const now = new Date().toISOString()
    const line = { subscriptionId: id, email: owner.email }
    await load(world, [
      {
        ...{ type: 'subscription', ...line, productCode: product.code, status: 'active', userCount: 3 },
        ...{ origin: 'online', channel: 'card', autoRenewal: true, periodStart: now, term: 'monthly' },
      },
      { type: 'seat', ...line, seatType: 2, status: 'Accepted', isUse: true, invited: now },
    ])
    const { db, cards, config, clock } = world.deps
    await syncCustomers({ db, cards, config, now: clock(), say: () => undefined })
    await world.sync(id)
    for (const invoice of (await stripe.invoices.list({ customer: customer.id })).data)
      await world.syncInvoice(invoice.id)

    const ordered = async (member: TestMember) =>
      (await world.as({ cookie: await world.session(member.id) }).send(listOnlineOrders, { query: {} })).body.list
        .length
    expect([await ordered(other), await ordered(owner)]).toEqual([0, 1])
    expect(await world.listed(owner)).toMatchObject([{ stripeSubscriptionId: id, knownByAddress: 0 }])
    expect(await world.listed(other)).toEqual([])
  },
)
