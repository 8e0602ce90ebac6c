import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { and, asc, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { payments } from '../app.ts'
import { activity } from '../features/activity/activity.tables.ts'
import { syncCatalog } from '../features/catalog/catalog.sync.ts'
import { syncCustomers } from '../features/payments/customers/customers.sync.ts'
import { checkOperations } from '../features/payments/operations/check-operation.ts'
import { handleEvent } from '../features/payments/payments.jobs.ts'
import { newProduct } from './factories.ts'
import type { Sandbox } from './sandbox.ts'
import { newWorld, type TestMember, type WorldOptions } from './world.ts'

interface Purchase
  extends Partial<
    Pick<
      Stripe.SubscriptionCreateParams,
      'trial_period_days' | 'metadata' | 'automatic_tax' | 'billing_cycle_anchor' | 'discounts'
    >
  > {
  quantity?: number
  term?: 'monthly' | 'yearly'
  /** Where it ends with its period already. */
  cancel_at_period_end?: boolean
}

const say = () => undefined

/** Minor units. */
function inDollars(month: number, year: number) {
  return [
    { term: 'monthly' as const, amount: month, currency: 'USD' },
    { term: 'yearly' as const, amount: year, currency: 'USD' },
  ]
}

type Catalog = Awaited<ReturnType<typeof newCatalog>>

/** What a vendor sells, in the catalog and at the card provider. */
async function newCatalog(world: Awaited<ReturnType<typeof newWorld>>) {
  const { db, cards } = world.deps
  const business = await newProduct(world, { name: 'Folio PDF Editor+ Business', prices: inDollars(1500, 15_000) })
  const connector = await newProduct(world, {
    ...{ name: 'Connector', flags: ['connector'], prices: inDollars(1200, 12_000), position: -1 },
  })
  const product = await newProduct(world, {
    ...{ name: 'Folio PDF Editor+', prices: inDollars(1000, 10_000), cap: { cap: 30, scope: 'subscription' } },
    ...{ upgrades: [business.code], flags: ['connectable'] },
  })
  await syncCatalog({ db, cards, say })
  return { business, connector, product }
}

/** By the sandbox of a file, which has its database for as long. */
const catalogs = new WeakMap<Sandbox, Promise<Catalog>>()

/** The same for all vendors of a file, since it takes longer than most of their tests. */
function catalogOfFile(sandbox: Sandbox, world: Awaited<ReturnType<typeof newWorld>>): Promise<Catalog> {
  const catalog = catalogs.get(sandbox) ?? newCatalog(world)
  catalogs.set(sandbox, catalog)
  return catalog
}

interface VendorOptions extends Pick<WorldOptions, 'work' | 'settings' | 'mailServer'> {
  /** Of a vendor whose test changes it: nobody else has it. */
  hasOwnCatalog?: boolean
}

/** A vendor whose catalog is at the card provider, and a customer with a card who buys there. */
export async function cardVendor(
  sandbox: Sandbox,
  { settings = {}, hasOwnCatalog = false, ...options }: VendorOptions = {},
) {
  const all = { ...sandbox.settings, ...settings }
  const world = await newWorld({ ...options, settings: all, now: new Date().toISOString() })
  const { db, cards } = world.deps
  const buyer = await world.member()
  const { business, connector, product } = await (hasOwnCatalog ? newCatalog(world) : catalogOfFile(sandbox, world))
  const { stripe } = sandbox
  const customer = await stripe.customers.create({ email: buyer.email, metadata: { memberId: buyer.id } })
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } })
  await syncCustomers({ db, cards, config: world.deps.config, now: world.deps.clock(), say })

  const told =
    (objectType: 'customer' | 'subscription' | 'subscription_schedule' | 'invoice' | 'refund') => (objectId: string) =>
      handleEvent(world.deps, payments.syncs, { provider: 'card', objectType, objectId })
  const sync = told('subscription')

  return {
    ...world,
    ...{
      buyer,
      product,
      business,
      connector,
      customerId: customer.id,
      cardId: method.id,
      sync,
      told,
      syncSchedule: told('subscription_schedule'),
      syncInvoice: told('invoice'),
      syncRefund: told('refund'),
    },
    /** @returns its id, here and at the provider */
    async buy({ quantity = 3, term = 'monthly', ...values }: Purchase = {}): Promise<string> {
      const lookupKey = `${product.code.toLowerCase()}-${term}-usd`
      const [price] = (await stripe.prices.list({ lookup_keys: [lookupKey] })).data
      const items = [{ price: price?.id ?? '', quantity }]
      const { id } = await stripe.subscriptions.create({ customer: customer.id, items, ...values })
      // The provider's clock goes on; ours is not behind what was bought.
      world.at(new Date(Math.max(Date.now(), world.deps.clock().getTime())))
      await sync(id)
      return id
    },
    /** A customer has another card from now on. @param of the provider's id; left out: the buyer's */
    async payWith(card: string, of = customer.id): Promise<void> {
      const { id } = await stripe.paymentMethods.attach(card, { customer: of })
      await stripe.customers.update(of, { invoice_settings: { default_payment_method: id } })
    },
    async listed(member: TestMember = buyer) {
      const cookie = await world.session(member.id)
      return (await world.as({ cookie }).send(listSubscriptions, { query: {} })).body.list
    },
    /** What the customer's activity says of changes, and who made them. */
    async changes() {
      const rows = await db
        .select({ kind: activity.actorKind, target: activity.target, details: activity.details })
        .from(activity)
        .where(and(eq(activity.memberId, buyer.id), eq(activity.action, 'subscription.changed')))
        .orderBy(asc(activity.id))
      return rows.map(({ kind, target, details }) => ({ kind, target, ...Object(details) }))
    },
    /** Advances the clock and runs the jobs of every minute. */
    async reconcileAfter(seconds: number) {
      world.at(new Date(world.deps.clock().getTime() + seconds * 1000))
      await checkOperations(world.deps, payments.definitions)
    },
  }
}
