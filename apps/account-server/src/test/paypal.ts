import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { payments } from '../app.ts'
import { syncCatalog as syncCatalogByCard } from '../features/catalog/catalog.sync.ts'
import { syncPaypalCatalog } from '../features/catalog/paypal-catalog.sync.ts'
import { providerPrices } from '../features/catalog/provider-prices.tables.ts'
import { signReference } from '../features/payments/customers/account-reference.rules.ts'
import { checkOperations } from '../features/payments/operations/check-operation.ts'
import { handleEvent } from '../features/payments/payments.jobs.ts'
import { cancelEndedAtPaypal } from '../features/subscriptions/auto-renewal/cancel-at-paypal.jobs.ts'
import { readPaypalEnds } from '../features/subscriptions/paypal-ends.jobs.ts'
import { syncPaypalSubscription } from '../features/subscriptions/paypal-subscriptions.sync.ts'
import { endSubscriptions } from '../features/subscriptions/subscriptions.jobs.ts'
import type { Paypal } from '../outside/paypal/paypal.ts'
import type { PaypalPlan } from '../outside/paypal/plans.ts'
import { newProduct } from './factories.ts'
import type { Sandbox } from './sandbox.ts'
import { newWorld } from './world.ts'

const Made = z.object({ id: z.string(), links: z.array(z.object({ rel: z.string(), href: z.string() })) })
const Refunded = z.object({ id: z.string() })
const Paid = z.object({ transactions: z.array(z.object({ id: z.string() })) })

const shopSecret = 'a secret that the shop and the account area share'

/** That a purchase of now is a member's. */
function referenceTo(subject: string): string {
  return signReference(shopSecret, { subject, expiresAt: new Date(Date.now() + 10 * 365 * 86_400_000) })
}

/** As the tests of a file have made them. */
const plansIn = new WeakMap<Sandbox, PaypalPlan[]>()

/** PayPal with its plans as they were made: each would be read at PayPal otherwise, in each test those of all before it. */
async function withMadePlans(paypal: Paypal, sandbox: Sandbox): Promise<Paypal> {
  const made = plansIn.get(sandbox) ?? (await paypal.plans())
  plansIn.set(sandbox, made)
  return {
    ...paypal,
    plans: async () => [...made],
    async createPlan(wanted) {
      const plan = await paypal.createPlan(wanted)
      made.push(plan)
      return plan
    },
  }
}

/** A vendor whose catalog is at PayPal, and a customer who buys in the vendor's shop. */
export async function paypalVendor(sandbox: Sandbox, more: NodeJS.ProcessEnv = {}) {
  const settings = { ...sandbox.settings, SHOP_SIGNING_SECRET: shopSecret, ...more }
  const world = await newWorld({ settings, now: new Date().toISOString() })
  const { db, paypal } = world.deps
  const said: string[] = []
  const say = (sentence: string) => void said.push(sentence)
  const buyer = await world.member()
  const suite = await newProduct(world, {
    name: 'Folio Suite',
    prices: [
      { term: 'monthly', amount: 2500, currency: 'USD' },
      { term: 'yearly', amount: 24_000, currency: 'USD' },
    ],
  })
  const product = await newProduct(world, {
    name: 'Folio PDF Editor+',
    upgrades: [suite.code],
    prices: [
      { term: 'monthly', amount: 1000, currency: 'USD' },
      { term: 'yearly', amount: 9600, currency: 'USD' },
      { term: 'paid_yearly', amount: 9000, currency: 'USD' },
    ],
  })
  const { call, control } = sandbox.paypal
  const syncCatalog = () => syncPaypalCatalog({ db, paypal, say })
  await syncPaypalCatalog({ db, paypal: await withMadePlans(paypal, sandbox), say })
  const isPlan = and(eq(providerPrices.provider, 'paypal'), eq(providerPrices.term, 'monthly'))
  const [plan] = await db
    .select()
    .from(providerPrices)
    .where(and(eq(providerPrices.productCode, product.code), isPlan))

  return {
    ...world,
    ...{ buyer, referenceTo, said, plan, syncCatalog, productCode: product.code, suiteCode: suite.code, call, control },
    /** The card provider has the same catalog. */
    sellByCard: () => syncCatalogByCard({ db, cards: world.deps.cards, say }),
    /**
     * @param customId left out: the account reference that the shop has signed
     * @param answer what the customer does on the approval page
     * @param more what a browser can say to PayPal beside that
     */
    async buy({ customId = referenceTo(buyer.id), answer = 'approve', planId = plan?.id ?? '', more = {} } = {}) {
      const body = { plan_id: planId, quantity: '3', custom_id: customId, ...more }
      const made = Made.parse(await call('POST', '/v1/billing/subscriptions', body))
      const link = made.links.find(({ rel }) => rel === 'approve')?.href
      if (answer !== 'none') await control('POST', 'approvals/', { link, answer })
      return made.id
    },
    async sales(id: string) {
      const period = 'start_time=2020-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z'
      const path = `/v1/billing/subscriptions/${id}/transactions?${period}`
      return Paid.parse(await call('GET', path)).transactions.map((sale) => sale.id)
    },
    /** @param value a decimal; undefined: the rest */
    async refund(sale: string, value?: string) {
      const body = value === undefined ? {} : { amount: { total: value, currency: 'USD' } }
      return Refunded.parse(await call('POST', `/v1/payments/sale/${sale}/refund`, body)).id
    },
    /** Advances the clock and runs the jobs of every minute. */
    async reconcileAfter(seconds: number) {
      world.at(new Date(world.deps.clock().getTime() + seconds * 1000))
      await checkOperations(world.deps, payments.definitions)
    },
    /** Moves PayPal's clock and ours to a moment: what is due until then is billed. */
    async advanceTo(to: string) {
      await sandbox.advanceTo(new Date(to))
      world.at(to)
    },
    /** Advances the clock and runs the jobs of every hour. */
    async hourlyJobsAt(now: Date) {
      world.at(now)
      await readPaypalEnds(world.deps)
      await endSubscriptions(world.deps)
      await cancelEndedAtPaypal(world.deps)
    },
    sync: (id: string) => syncPaypalSubscription(world.deps, id),
    /** An event of PayPal comes. */
    told: (objectType: 'refund' | 'capture_refund', objectId: string) =>
      handleEvent(world.deps, payments.syncs, { provider: 'paypal', objectType, objectId }),
    async listed() {
      const cookie = await world.session(buyer.id)
      return (await world.as({ cookie }).send(listSubscriptions, { query: {} })).body.list
    },
    ordered: async () => (await world.as(buyer).send(listOnlineOrders, { query: {} })).body.list,
  }
}
