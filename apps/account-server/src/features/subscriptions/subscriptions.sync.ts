import { nextSyncNumber } from '../../db/sync-numbers.queries.ts'
import type { Deps } from '../../deps.ts'
import { continues } from '../../outside/card-provider/moved-subscriptions.ts'
import type { BilledSubscription } from '../../outside/card-provider/subscriptions.ts'
import { ifKnown } from '../../outside/provider-failure.ts'
import { knownPrices } from '../catalog/catalog.queries.ts'
import { addForeignProduct } from '../catalog/catalog.writes.ts'
import { syncInvoice } from '../orders/orders.sync.ts'
import { syncRefund } from '../orders/refunds.sync.ts'
import { type Owner, subjectsOfBought } from '../payments/customers/customer-claims.queries.ts'
import { type LinkDeps, linkDeps, ownerOfCustomer, ownProofOf } from '../payments/customers/customers.sync.ts'
import { isProven } from '../payments/customers/link-proofs.rules.ts'
import { isKnownByAddress } from './known-by-address.rules.ts'
import type { KnownPrice } from './known-price.ts'
import { knownSubscriptions } from './known-subscriptions.queries.ts'
import { untilPaid } from './late-increases.rules.ts'
import { withdrawnTime } from './moving/withdrawn-time.ts'
import { giveFiled } from './ownership/give-filed.ts'
import { giveNamed } from './ownership/give-named.ts'
import { giveToProven } from './ownership/give-to-proven.ts'
import { cardStanding } from './ownership/purchase-standing.ts'
import { isKnownStatus, isUnpaidStart, projectionOf, withoutDue } from './projection.rules.ts'
import { applyReading, type ProjectionDeps } from './projection.writes.ts'
import { liveProjection, takeOverProjection } from './projection-deps.ts'
import { readResumed } from './read-resumed.ts'
import type { Applied, Reading } from './reading.ts'
import { hasSoldQuantity } from './sold-quantity.rules.ts'
import { subscriptionOfProvider } from './subscriptions.queries.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

/** Of a customer who is not wholly proven: by an address alone, unless it says itself whose it is. */
type PurchaseOwner = Owner & Pick<Reading, 'ownProof'>

export interface CardNeeds extends ProjectionDeps {
  cards: Pick<
    Deps['cards'],
    | 'readSubscription'
    | 'subscriptionsAfter'
    | 'productName'
    | 'productOfPrice'
    | 'hasPaid'
    | 'hasKeptPayment'
    | 'paymentsAfter'
  >
  /** Whose it is. */
  ownerOf(billed: Pick<BilledSubscription, 'id' | 'customerId' | 'claim'>): Promise<PurchaseOwner | undefined>
  /** The addresses by which its buyer finds it, if it is nobody's here. */
  subjectsOf(billed: Pick<BilledSubscription, 'customerId' | 'claim'>): Promise<string[]>
}

/** Fetches a subscription of the card provider and applies its state: a webhook says only that something changed. */
export async function syncSubscription(deps: Deps, id: string): Promise<void> {
  const read = await ifKnown(readResumed(deps, id))
  if (read) await project(liveCards(deps), read.billed, read.syncNumber)
}

/** What is planned for a subscription is stored with it. */
export async function syncSchedule(deps: Deps, id: string): Promise<void> {
  const subscriptionId = await ifKnown(deps.cards.subscriptionOfSchedule(id))
  if (subscriptionId) await syncSubscription(deps, subscriptionId)
}

/** For what a webhook tells, or the provider has answered to a change. */
export function liveCards(deps: Deps): CardNeeds {
  return {
    ...liveProjection(deps),
    cards: deps.cards,
    ownerOf: ownerFrom({ ...deps, ...linkDeps(deps), cards: deps.cards }),
    subjectsOf: subjectsFrom(deps),
  }
}

function subjectsFrom({ cards, config }: Pick<LinkDeps, 'cards' | 'config'>): CardNeeds['subjectsOf'] {
  return (billed) => subjectsOfBought({ cards, secrets: config.SHOP_SIGNING_SECRET }, billed)
}

type OwnCards = Pick<Deps['cards'], 'cards' | 'subscriptionsPaidBy'>

/** What the vendor has written to a subscription proves whose its customer is, too, unless more than an address says so already. */
function ownerFrom(links: LinkDeps & Pick<Deps, 'logger' | 'jobs'> & { cards: OwnCards }): CardNeeds['ownerOf'] {
  return async (billed) => {
    const { customerId, claim } = billed
    const isNamed = claim.memberId !== '' || claim.reference !== ''
    if (isNamed) await giveToProven(links, customerId, claim)
    const owner = await ownerOfCustomer(links, customerId, [claim])
    if (isNamed) await giveNamed(links, billed)
    await giveFiled(links, billed)
    if (!owner || (isProven(owner.proof) && !owner.isPartlyProven)) return owner
    const ownProof = await ownProofOf(links, billed, owner.memberId)
    return ownProof ? { ...owner, proof: ownProof, ownProof } : { ...owner, proof: 'address' }
  }
}

/**
 * Applies an invoice to its order, and then what it means for its subscription: what is due, and until when it is paid.
 * @returns the provider's id of its subscription; empty if it has none
 */
export async function syncInvoiceOfSubscription(deps: Deps, id: string): Promise<string> {
  const subscriptionId = await syncInvoice(deps, id, knownSubscriptions)
  if (subscriptionId !== '') await syncSubscription(deps, subscriptionId)
  return subscriptionId
}

/**
 * Applies what the card provider gave back to the orders that its payment paid; what has none may wait with its subscription.
 * @returns the provider's ids of the invoices
 */
export async function syncRefundOfOrders(deps: Deps, id: string): Promise<string[]> {
  const { invoiceIds, subscriptionIds } = await syncRefund(deps, id, knownSubscriptions)
  for (const subscriptionId of subscriptionIds) await syncSubscription(deps, subscriptionId)
  return invoiceIds
}

interface TakeOver extends Pick<Deps, 'db' | 'clock' | 'logger' | 'jobs'> {
  config: LinkDeps['config'] & ProjectionDeps['config']
  cards: CardNeeds['cards'] & LinkDeps['cards'] & OwnCards
  say(sentence: string): void
}

/**
 * Takes over every subscription that the card provider has, without events: nothing happened. It may be interrupted and run again.
 * @returns how many were taken over, and how many belong to nobody here, or have a price that the catalog does not know
 */
export async function syncSubscriptions({ cards, say, ...asked }: TakeOver) {
  const counts = { synced: 0, unmatched: 0 }
  const deps = takeOverCards({ cards, ...asked }, ({ subscriptionId, priceId }) => {
    counts.unmatched += 1
    say(`${subscriptionId}: no product of the catalog has the price ${priceId}`)
  })
  let after: string | undefined
  do {
    const syncNumber = await nextSyncNumber(deps.db)
    const { subscriptions: page, hasMore } = await cards.subscriptionsAfter(after)
    for (const billed of page) {
      const outcome = await project(deps, billed, syncNumber)
      if (outcome === 'no_member')
        say(`${billed.id}: customer ${billed.customerId} is not a member’s, or an address alone says so`)
      if (outcome === 'impossible_amount') say(`${billed.id}: its quantity is not one that can be sold: not granted`)
      if (outcome === 'no_member' || outcome === 'impossible_amount') counts.unmatched += 1
      else counts.synced += 1
    }
    after = hasMore ? page.at(-1)?.id : undefined
  } while (after)
  return counts
}

/** Takes over one subscription: what the operator has accepted of it counts now. */
export async function takeOverSubscription({ say, ...asked }: TakeOver, id: string): Promise<void> {
  const deps = takeOverCards(asked, ({ priceId }) => say(`${id}: no product of the catalog has the price ${priceId}`))
  const syncNumber = await nextSyncNumber(deps.db)
  const billed = await ifKnown(asked.cards.readSubscription(id))
  if (billed) await project(deps, billed, syncNumber)
}

function takeOverCards(asked: Omit<TakeOver, 'say'>, report: ProjectionDeps['reportUnknownPrice']): CardNeeds {
  const ownerOf = ownerFrom({ ...asked, onLinked: async () => undefined })
  return { ...takeOverProjection(asked, report), cards: asked.cards, ownerOf, subjectsOf: subjectsFrom(asked) }
}

async function project(deps: CardNeeds, billed: BilledSubscription, syncNumber: number): Promise<Applied> {
  const outcome = await applyReading(deps, () => cardReading(deps, billed, syncNumber))
  const { id: subscriptionId, customerId } = billed
  if (outcome === 'no_member') deps.logger.warn({ subscriptionId, customerId }, 'a subscription of nobody here')
  return outcome
}

/** What storing a subscription of the card provider needs, to be read before the transaction. */
export async function cardReading(deps: CardNeeds, billed: BilledSubscription, syncNumber: number): Promise<Reading> {
  const { clock, logger, config } = deps
  const { id: providerId, customerId, status } = billed
  const owner = await deps.ownerOf(billed)
  const standing = await cardStanding({ ...deps, now: clock() }, billed, owner)
  const prices = await pricesOf(deps, billed)
  const parentId = standing.owner && (await parentIdOf(deps, billed, { owner: standing.owner, syncNumber }))
  if (!isKnownStatus(billed)) {
    logger.error({ subscriptionId: providerId, status }, 'a state of subscriptions that is not known here')
  }
  return {
    ...{ providerId, channel: 'card', customerId, ...standing, ownProof: owner?.ownProof, syncNumber },
    isUnpaidStart: isUnpaidStart(billed),
    withheld(before) {
      return hasSoldQuantity(billed, prices) ? undefined : withheldOf(billed, standing.owner, { before, now: clock() })
    },
    continues: billed.metadata[continues],
    declinedCard: billed.openInvoice?.declinedCard ?? undefined,
    ...{ payer: billed.payer, withdrawn: await withdrawnTime(deps, billed) },
    projection(before, asked) {
      const renewals = { before, items: billed.items, pastDueDays: config.PAST_DUE_DAYS }
      const projection = untilPaid(projectionOf(billed, { prices, before, now: clock() }), renewals)
      // No operation waits for it any more.
      const isGivenUp = billed.pendingChange?.isOurs === true && !asked
      const after = isGivenUp ? withoutDue(projection) : projection
      return after && { ...after, ...(parentId !== undefined && { parentId }) }
    },
  }
}

function withheldOf(
  { id: objectId, customerId, createdAt: boughtAt }: BilledSubscription,
  owner: Owner | undefined,
  { before, now }: { before: Pick<SubscriptionRow, 'memberId'> | undefined; now: Date },
) {
  const object = { provider: 'card', kind: 'subscription', objectId, reason: 'impossible_amount' } as const
  const memberId = before?.memberId ?? owner?.memberId
  const whose = { memberId, isProven: owner?.memberId === memberId && owner !== undefined && isProven(owner.proof) }
  return { ...object, ...whose, customerId, boughtAt, createdAt: now }
}

/**
 * The subscription of the same member that an add-on names as its own (`metadata.parent`). It is read first: the provider lists the
 * newest first.
 * @returns null: one of the two is the member's because of an address alone, and may be another's, so that they go separate ways
 */
async function parentIdOf(
  deps: CardNeeds,
  { id: addOnId, metadata: { parent } }: BilledSubscription,
  { owner: { memberId, proof }, syncNumber }: { owner: Owner; syncNumber: number },
): Promise<string | null | undefined> {
  if (!parent || parent === addOnId) return undefined
  const find = () => subscriptionOfProvider(deps.db, { providerId: parent, memberId })
  const known = await subscriptionOfProvider(deps.db, { providerId: addOnId, memberId })
  const isTyped = !isProven(proof) && (known === undefined || isKnownByAddress(known))
  const linked = (found: Awaited<ReturnType<typeof find>>) => {
    if (!found || found.parentId !== null) return undefined
    return isTyped === isKnownByAddress(found) ? found.id : null
  }
  const stored = await find()
  if (stored) return linked(stored)
  const billed = await ifKnown(deps.cards.readSubscription(parent))
  // An add-on has no add-ons of its own.
  if (billed && !billed.metadata.parent) await project(deps, billed, syncNumber)
  const found = await find()
  if (!found) deps.logger.warn({ subscriptionId: addOnId, parent }, 'an add-on of nothing that its customer has')
  return linked(found)
}

/** Products that the catalog does not know are added under the provider's name, and an error tells the vendor. */
async function pricesOf({ db, cards, reportUnknownPrice }: CardNeeds, billed: BilledSubscription) {
  const { id, pendingChange, schedule } = billed
  const items = [...billed.items, ...(pendingChange?.items ?? [])]
  const products = new Map(items.map(({ priceId, productId }) => [priceId, productId]))
  const planned = (schedule?.ahead ?? []).flatMap((phase) => phase.items.map(({ priceId }) => priceId))
  const known = await knownPrices(db, [...products.keys(), ...planned])
  const prices = new Map<string, KnownPrice>()
  for (const priceId of new Set([...products.keys(), ...planned])) {
    const found = known.get(priceId)
    const flags = found?.flags ?? []
    const productId = found ? '' : (products.get(priceId) ?? (await ifKnown(cards.productOfPrice(priceId))) ?? priceId)
    prices.set(priceId, {
      amount: found?.amount ?? null,
      productCode: found?.productCode ?? productId,
      term: found?.term ?? null,
      isConnector: flags.includes('connector'),
      isStorage: flags.includes('storage'),
    })
    if (found) continue
    reportUnknownPrice({ subscriptionId: id, priceId, productId })
    // What was deleted there has no name any more.
    const name = (await ifKnown(cards.productName(productId))) ?? productId
    await db.transaction((tx) => addForeignProduct(tx, { id: productId, name }))
  }
  return prices
}
