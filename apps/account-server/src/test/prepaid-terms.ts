import { listOnlineOrders } from '@atrium/contract/orders.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { daysLater, monthsLater } from '../db/calendar.rules.ts'
import { syncCatalog } from '../features/catalog/catalog.sync.ts'
import { renewedTerm } from '../features/subscriptions/renewal/renewal-window.rules.ts'
import { subscriptions } from '../features/subscriptions/subscriptions.tables.ts'
import { cardVendor } from './card-billing.ts'
import { newProduct, newSubscription } from './factories.ts'
import type { Sandbox } from './sandbox.ts'
import type { TestMember } from './world.ts'

/** Minor units of a year: of one seat, and of one connector. */
const yearOf = { seat: 11_900, connector: 5000 }

interface Commit {
  quoteId: string
  paymentMethodId?: string
  couponCode?: string
  discount?: number
  key?: string
  member?: TestMember
}

const renewal = { type: 'techsoup-renew' } as const

/** A vendor that sells prepaid years, and its customer with a card; terms are of two seats. */
export async function prepaidVendor(sandbox: Sandbox, options: Parameters<typeof cardVendor>[1] = {}) {
  const world = await cardVendor(sandbox, options)
  const { db, cards } = world.deps
  const year = (amount: number) => [{ term: renewedTerm, amount, currency: 'USD' }]
  const name = 'Editor for Mac'
  const prepaidProduct = await newProduct(world, { name, prices: year(yearOf.seat) })
  await newProduct(world, { flags: ['connector'], position: -2, prices: year(yearOf.connector) })
  const publish = () => syncCatalog({ db, cards, say: () => undefined })
  await publish()
  const endsAt = daysLater(world.deps.clock(), 60)

  return {
    ...world,
    prepaidProduct,
    endsAt,
    yearAfter: monthsLater(endsAt, 12),
    /** Makes the providers sell what the catalog says. */
    publish,
    async term(values: Partial<typeof subscriptions.$inferInsert> = {}): Promise<string> {
      const { id } = await newSubscription(world, world.buyer, {
        ...{ productCode: prepaidProduct.code, term: renewedTerm, autoRenew: false, userCount: 2 },
        ...{ price: 20_000, currency: 'USD', periodStart: monthsLater(endsAt, -12), periodEnd: endsAt, ...values },
      })
      return id
    },
    quote: (sid: string, { couponCode = '', member = world.buyer } = {}) =>
      world.as(member).send(contract.changePlanFrom, { body: { sid, ...renewal, couponCode } }),
    commit: (subscriptionId: string, { key, member = world.buyer, ...values }: Commit) =>
      world.as(member).send(contract.changePlan, { body: { subscriptionId, ...renewal, ...values } }, key),
    finish: (subscriptionId: string, member = world.buyer) =>
      world.as(member).send(contract.memberPlanPlace, { body: { subscriptionId } }),
    async row(id: string) {
      const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id))
      return row
    },
    /** The customer's invoices at the provider, with what was paid; newest first. */
    async invoices() {
      const { data } = await sandbox.stripe.invoices.list({ customer: world.customerId })
      return data.map(({ id, status, amount_paid: paid }) => ({ id, status, paid }))
    },
    orders: async () => (await world.as(world.buyer).send(listOnlineOrders, { query: {} })).body.list,
  }
}
