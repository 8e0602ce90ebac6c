import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ListedCustomer } from '../../outside/card-provider/customers.ts'
import type { BilledSubscription } from '../../outside/card-provider/subscriptions.ts'
import { claimedOwners, forever, linkCustomer, seenObjects, wronglyGranted } from '../../test/claimed-owners.ts'
import { newProduct } from '../../test/factories.ts'
import { generatedCases } from '../../test/generated.ts'
import { newWorld } from '../../test/world.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'
import { storeUnmatched } from '../payments/unmatched/unmatched.writes.ts'
import { syncSubscriptions } from '../subscriptions/subscriptions.sync.ts'

/** How many objects are made. */
const many = generatedCases(150)

const now = new Date('2027-06-15T12:00:00Z')
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const pastDueDays = 21

const scenarios = fc.record({
  plan: fc.constantFrom('known', 'known', 'unknown', 'packages'),
  quantity: fc.constantFrom(1, 3, 100_000),
  connectors: fc.constantFrom(0, 0, 2),
  /** How many days ago its period has begun; it is a month, or a trial of a month. */
  daysInMonth: fc.constantFrom(0.2, 0.9, 2, 10, 20.5, 29.9),
  status: fc.constantFrom(
    ...(['active', 'active', 'trialing', 'past_due', 'unpaid', 'incomplete'] as const),
    ...(['incomplete_expired', 'canceled', 'paused', 'a later one'] as const),
  ),
  ends: fc.constantFrom('no', 'no', 'with the period', 'in three months'),
  /** How many days ago its oldest open invoice was to be paid. */
  daysDue: fc.constantFrom(0.5, 10, 20.9, 21.1, 40),
  paid: fc.constantFrom('it', 'it', 'something else', 'nothing'),
  /** Where its customer, or it itself, says whose it is. */
  saidBy: fc.constantFrom('customer', 'subscription'),
  owner: fc.constantFrom(
    ...(['ours', 'signed', 'signed for an address', 'linked', 'sent', 'typed', 'not mine'] as const),
    ...(['of an earlier installation', 'signed too late', 'signed by somebody', 'unverified', 'nobody'] as const),
  ),
})
type Scenario = typeof scenarios extends fc.Arbitrary<infer Value> ? Value : never

const after = (date: Date, ms: number) => new Date(date.getTime() + ms)

const newId = (prefix: string) => `${prefix}${randomUUID().replaceAll('-', '')}`

interface Made {
  given: BilledSubscription
  /** The oracle: until when it is granted, by the table of what the card provider may have; undefined: not at all. */
  until: Date | undefined
}

function made(scenario: Scenario): Made {
  const { plan, quantity, connectors, daysInMonth, status, ends, daysDue } = scenario
  const periodStart = after(now, -daysInMonth * dayMs)
  const periodEnd = after(periodStart, 30 * dayMs)
  const cancelAt = { no: null, 'with the period': periodEnd, 'in three months': after(now, 90 * dayMs) }[ends]
  const period = { periodStart, periodEnd, currency: 'USD', lookupKey: '' }
  const main = { ...period, id: 'si_1', priceId: `price_${plan}`, productId: `prod_${plan}`, quantity }
  const more = { ...period, id: 'si_2', priceId: 'price_connector', productId: 'prod_connector', amount: 500 }
  const since = after(now, -daysDue * dayMs)
  const isDue = status === 'past_due' || status === 'unpaid'
  const given: BilledSubscription = {
    ...{ id: newId('sub_'), customerId: newId('cus_'), status, cancelAt, schedule: null },
    ...{
      createdAt: after(periodStart, -60 * dayMs),
      metadata: {},
      ownCard: '',
      isRenewing: false,
      pendingChange: null,
    },
    items: [
      ...(connectors > 0 ? [{ ...more, quantity: connectors }] : []),
      { ...main, amount: plan === 'packages' ? null : 1000 },
    ],
    trialEnd: status === 'trialing' ? periodEnd : null,
    endedAt: status === 'canceled' ? after(now, -hourMs) : null,
    claim: { memberId: '', reference: '', createdAt: now },
    openInvoice: isDue ? { ...openInvoice, since, dates: [since], retriedSince: since } : null,
  }
  return { given, until: grantedUntil(scenario, { periodEnd, cancelAt, since }) }
}

const openInvoice = {
  ...{ amount: 1000, url: '', nextAttemptAt: null, needsConfirmation: false },
  ...{ declineCode: '', declinedCard: null, declinedAt: null },
}

interface Moments {
  periodEnd: Date
  cancelAt: Date | null
  since: Date
}

/** The table, row by row: at the card provider only the vendor's key writes, so what it says counts. */
function grantedUntil({ status }: Scenario, { periodEnd, cancelAt, since }: Moments): Date | undefined {
  if (status === 'active') return cancelAt ?? forever
  if (status === 'trialing') return cancelAt ?? after(periodEnd, dayMs)
  if (status === 'paused') return cancelAt ?? periodEnd
  if (status === 'past_due' || status === 'unpaid') return after(since, pastDueDays * dayMs)
  return undefined
}

/** A vendor whose catalog knows one price and a connector's, and whose shop signs; nothing else is in this file's database. */
async function vendor() {
  const secret = 'a secret that the shop and the account area share'
  const world = await newWorld({ now: now.toISOString(), settings: { SHOP_SIGNING_SECRET: secret } })
  const [{ code }, connector] = [await newProduct(world), await newProduct(world, { flags: ['connector'] })]
  const price = { provider: 'card', term: 'monthly', isCurrent: true, currency: 'USD' } as const
  await world.db.insert(providerPrices).values([
    { ...price, id: 'price_known', productId: 'prod_known', productCode: code, amount: 1000 },
    { ...price, id: 'price_connector', productId: 'prod_connector', productCode: connector.code, amount: 500 },
  ])
  const member = await world.member()
  const { email: unverified } = await world.member({ emailVerified: false })
  const known = (madeAt: Date) => {
    const claims = claimedOwners(member, { secret, unverified, madeAt })
    const { typed, nobody } = claims
    return {
      ...claims,
      ours: { ...nobody, is: 'proven', memberId: member.id },
      'of an earlier installation': { ...typed, memberId: randomUUID() },
      /** As an invoice, to the address that the vendor has written: the subscription says so itself. */
      sent: { ...typed, is: 'proven', isMadeByVendor: true },
    } as const
  }
  return { ...world, member, known }
}

type Vendor = Awaited<ReturnType<typeof vendor>>

function generated(world: Vendor) {
  return fc.sample(scenarios, { numRuns: many, seed: 34 }).map((scenario) => {
    const { given, until } = made(scenario)
    const { createdAt } = given
    const owner = { said: undefined, isMadeByVendor: false, ...world.known(createdAt)[scenario.owner] }
    const { email, memberId, reference, isMadeByVendor } = owner
    const [words, nothing] = [
      { memberId, reference, createdAt },
      { memberId: '', reference: '', createdAt },
    ]
    const isBySubscription = scenario.saidBy === 'subscription'
    const claim = { ...(isBySubscription ? words : nothing), isMadeByVendor }
    const customer: ListedCustomer = { id: given.customerId, email, ...(isBySubscription ? nothing : words) }
    return { scenario, until, customer, given: { ...given, claim }, ...owner }
  })
}
type Generated = ReturnType<typeof generated>

/** The card provider's calls, of which each object has a customer of its own. */
function cardsOf({ deps }: Vendor, all: Generated): Parameters<typeof syncSubscriptions>[0]['cards'] {
  const bySubscription = new Map(all.map((one) => [one.given.id, one]))
  const byCustomer = new Map(all.map((one) => [one.customer.id, one]))
  return {
    ...deps.cards,
    subscriptionsAfter: async () => ({ subscriptions: all.map(({ given }) => given), hasMore: false }),
    readCustomer: async (id) => byCustomer.get(id)?.customer,
    productName: async (id) => id,
    async *claimsOf(customerId) {
      yield all.flatMap(({ given }) => (given.customerId === customerId ? [given.claim] : []))
    },
    async hasPaid(of) {
      if ('subscription' in of) return bySubscription.get(of.subscription)?.scenario.paid === 'it'
      return byCustomer.get(of.customer)?.scenario.paid !== 'nothing'
    },
    hasKeptPayment: async (id) => bySubscription.get(id)?.scenario.paid === 'it',
  }
}

const title = `of ${many} generated subscriptions at the card provider nothing is granted that is not the member’s, and all that was paid is seen`

test(title, { timeout: 60_000 + many * 300 }, async () => {
  await using world = await vendor()
  const { db, deps, member } = world
  const all = generated(world)
  const takeOver = () => syncSubscriptions({ ...deps, cards: cardsOf(world, all), say: () => undefined })
  for (const { given, said } of all) {
    const { id: objectId, customerId, createdAt } = given
    const object = { kind: 'subscription', objectId, customerId, boughtAt: createdAt, createdAt } as const
    const answer = { provider: 'card', reason: 'not_mine', memberId: member.id } as const
    if (said === 'not mine') await storeUnmatched(db, { ...object, ...answer })
  }
  await takeOver()
  for (const { given, said } of all) {
    if (said === 'linked') await linkCustomer(world, member, given.customerId)
  }
  await takeOver()

  const { listed, waiting } = await seenObjects(db)
  const wrong: unknown[] = []
  for (const { scenario, given, until: end, is } of all) {
    const isUnpaidStart = scenario.status.startsWith('incomplete')
    const isSeen = listed.has(given.id) || waiting.has(given.id)
    const isPaid = scenario.paid === 'it' && !isUnpaidStart
    const isTheirs = is === 'proven' || (is === 'typed' && isPaid)
    const until = isTheirs ? end : undefined
    const found = await wronglyGranted(db, member, { providerId: given.id, until, seats: scenario.quantity, now })
    const isTold = isUnpaidStart && isSeen && scenario.owner !== 'not mine'
    if (found.length > 0 || (isPaid && !isSeen) || isTold) wrong.push({ scenario, until, found, isSeen, isTold })
  }
  expect(wrong.slice(0, 3)).toEqual([])
  // Not all are refused.
  expect(listed.size).toBeGreaterThan(many / 20)
})
