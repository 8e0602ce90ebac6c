import { isDeepStrictEqual } from 'node:util'
import type { Reader } from '@atrium/server-kit/database.ts'
import { sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { knownPrices, pricesBeside } from '../catalog/catalog.queries.ts'
import { addForeignProduct } from '../catalog/catalog.writes.ts'
import { paymentsWithOrder, takenBackPayments } from '../orders/orders.queries.ts'
import { acceptanceOf, readLessThanPlan, withheldPurchase } from '../payments/unmatched/unmatched.queries.ts'
import { storeLessThanPlan } from '../payments/unmatched/unmatched.writes.ts'
import type { KnownPrice } from './known-price.ts'
import { boughtInPeriod } from './paypal-change/bought-in-period.queries.ts'
import { planFrom } from './paypal-change/paypal-grant.rules.ts'
import { decidePayments } from './paypal-decisions.rules.ts'
import type { PaidFacts } from './paypal-facts.rules.ts'
import { asMeasured, isLessThanPlan, lessWords } from './paypal-measured.rules.ts'
import { decidedPayments, decidedTrial } from './paypal-payments.queries.ts'
import { storeDecided } from './paypal-payments.writes.ts'
import { acceptedOf } from './paypal-price.rules.ts'
import { termsOf } from './paypal-revised.rules.ts'
import { decideTrial } from './paypal-trial-decision.rules.ts'
import { namedSubscription, storedSubscription } from './subscriptions.queries.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

export interface FactsOfNow extends Omit<PaidFacts, 'before'> {
  /** Whether the catalog does not know the plan: it is a product of its own. */
  isUnknownPlan: boolean
}

/**
 * What beside the subscription and its row says what was paid. What each of its payments was for is decided with that, where it was not
 * before, and stored: whatever becomes of the reading, a later one has other terms.
 */
export async function paidFactsOf(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  given: PaypalSubscription,
): Promise<FactsOfNow> {
  const { id: objectId, planId, payments } = given
  const object = { provider: 'paypal', objectId } as const
  const found = (await knownPrices(db, [planId])).get(planId)
  const ids = payments.map(({ id }) => id)
  const decided = await decidedPayments(db, objectId)
  const withheld = await withheldPurchase(db, object)
  const facts = {
    isUnknownPlan: found === undefined,
    ...(await acceptedFacts(db, given)),
    price: priceOf(planId, found),
    listPrice: found && found.amount !== null ? { amount: found.amount, currency: found.currency } : null,
    unitPrices: found && (await pricesBeside(db, planId)),
    takenBack: await takenBackPayments(db, ids),
    waiting: withheld?.waiting,
    releasedAt: withheld?.releasedAt,
    ordered: await paymentsWithOrder(db, ids),
    trial: await decidedTrial(db, objectId),
    ...{ decided, now: clock() },
  }
  const before = await rowBeforeOrders(db, await namedSubscription(db, objectId), decided)
  return { ...facts, ...(await decideNow(db, given, { ...facts, before })) }
}

/** One reading at a time, since what one payment was for depends on the others. A plan that the catalog does not know is a product from then on. */
async function decideNow(
  db: Deps['db'],
  given: PaypalSubscription,
  facts: FactsOfNow & Pick<PaidFacts, 'before'>,
): Promise<Pick<PaidFacts, 'decided' | 'trial'>> {
  const { id: subscriptionId, planId, planName } = given
  if (!hasNews(newlyDecided(given, facts))) return facts
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`payments of ${subscriptionId}`}, 0))`)
    const decided = await decidedPayments(tx, subscriptionId)
    const stored = { ...facts, decided, trial: await decidedTrial(tx, subscriptionId) }
    const news = newlyDecided(given, stored)
    if (facts.isUnknownPlan) await addForeignProduct(tx, { id: planId, name: planName })
    await storeDecided(tx, { subscriptionId, ...news, now: facts.now })
    return { decided: new Map([...decided, ...news.decided]), trial: news.trial ?? stored.trial }
  })
}

type News = Pick<PaidFacts, 'decided' | 'trial'>

function newlyDecided(given: PaypalSubscription, facts: PaidFacts): News {
  const purposes = decidePayments(given, facts)
  const decided = new Map([...purposes].filter(([id, one]) => facts.decided.get(id) !== one))
  const trial = decideTrial(given, { ...facts, purposes })
  return { decided, trial: isDeepStrictEqual(trial, facts.trial) ? undefined : trial }
}

function hasNews({ decided, trial }: News): boolean {
  return decided.size > 0 || trial !== undefined
}

/** An earlier version of this program has not stored what its payment was for: what orders have bought on top of that is not of it. */
async function rowBeforeOrders(db: Reader, row: SubscriptionRow | undefined, decided: PaidFacts['decided']) {
  const { providerId, periodEnd, paidBy } = row ?? {}
  if (!row || !providerId || !periodEnd || !paidBy || decided.has(paidBy)) return row
  const bought = await boughtInPeriod(db, { providerId, periodEnd })
  return bought ? { ...row, ...planFrom(bought.base, row) } : row
}

/** What the operator has accepted of the terms. Whoever goes back to terms that were accepted has not paid on them. */
async function acceptedFacts(db: Reader, given: PaypalSubscription) {
  const { id: objectId } = given
  const readLess = await readLessThanPlan(db, objectId)
  const acceptance = readLess ? undefined : await acceptanceOf(db, { provider: 'paypal', objectId, ...termsOf(given) })
  const accepted = { isAccepted: acceptance !== undefined, leastAccepted: acceptedOf(given, acceptance) }
  return { readLess, ...accepted, acceptedAt: acceptance?.acceptedAt ?? undefined }
}

/** Terms that are less than the plan, and were not accepted or measured, are remembered before anything of the reading is stored. */
export async function rememberLessThanPlan(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  given: PaypalSubscription,
): Promise<void> {
  if (!isLessThanPlan(given)) return
  const readAt = clock()
  const { isAccepted } = await acceptedFacts(db, given)
  const before = await storedSubscription(db, given.id)
  const words = lessWords(asMeasured(given, { before, isAccepted }))
  if (words) await storeLessThanPlan(db, { objectId: given.id, words, readAt })
}

/** Of what a plan is: one that the catalog does not know is a product of its own. */
function priceOf(planId: string, found: KnownPlan | undefined): KnownPrice {
  const flags = found?.flags ?? []
  const isOf = { isConnector: flags.includes('connector'), isStorage: flags.includes('storage') }
  return found
    ? { productCode: found.productCode, term: found.term, ...isOf }
    : { productCode: planId, term: null, ...isOf }
}

type KnownPlan = Awaited<ReturnType<typeof knownPrices>> extends ReadonlyMap<string, infer Plan> ? Plan : never
