import type { Db, Reader, Tx } from '@atrium/server-kit/database.ts'
import { count, inArray } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import type { ObjectClaim } from '../../../outside/billed-invoice.ts'
import type { CardProvider } from '../../../outside/card-provider/card-provider.ts'
import type { ListedCustomer } from '../../../outside/card-provider/customers.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { recordProvider } from '../../activity/activity.writes.ts'
import { enqueuePurchases } from '../../session/purchases.writes.ts'
import { isDeclined } from '../unmatched/unmatched.queries.ts'
import { type Asking, asBought, ofPurchase, ownerOfBought, wordOf } from './bought-claims.ts'
import { type Claim, type ClaimRules, type Owner, ownersOf } from './customer-claims.queries.ts'
import { customersOfMember, linkOfCustomer } from './customers.queries.ts'
import { providerCustomers } from './customers.tables.ts'
import { type Link, linkCustomers } from './customers.writes.ts'
import { isCorrectable, isProven, isWhollyProven, type LinkProof, type Proven, yieldsTo } from './link-proofs.rules.ts'
import { raiseSameCards } from './same-cards.ts'

interface SyncDeps {
  db: Db
  config: Pick<Deps['config'], 'SHOP_SIGNING_SECRET'>
  /** The operator's word: the vendor's shop has confirmed each address of what was made before. */
  confirmedUntil?: Date | undefined
  cards: Pick<CardProvider, 'customersAfter' | 'hasPaid' | 'claimsOf' | 'fingerprintsOf' | 'firstPayingCard'>
  now: Date
  /** Says what could not be matched. */
  say(sentence: string): void
}

/**
 * Links the card provider's customers to members, and raises the proof of those that were known by an address alone. One with a
 * member's verified address and nothing more is linked once something was paid there. It may be interrupted and run again.
 * @returns how many were linked, had been linked before, were raised, and could not be matched; `elsewhere`: ids of those whom an address
 * has made one member's, and who are proven to be another
 */
export async function syncCustomers(deps: SyncDeps) {
  const { db, cards, config, confirmedUntil, now, say } = deps
  const rules = { secrets: config.SHOP_SIGNING_SECRET, confirmedUntil }
  const counts = { linked: 0, known: 0, raised: 0, unmatched: 0 }
  const elsewhere: string[] = []
  let after: string | undefined
  do {
    const { customers, hasMore } = await cards.customersAfter(after)
    const known = await linksOf(db, customers)
    elsewhere.push(...(await provenElsewhere(db, { customers, known, rules })))
    const open = customers.filter(({ id }) => !isWhollyProven(known.get(id) ?? unknown))
    const links = await payingFirst({ db, cards, rules }, open, await ownersOf(db, open, rules))
    const { linked, raised } = await storeLinks(db, links, now)
    counts.known += known.size
    counts.linked += linked.size
    counts.raised += raised.length
    for (const { id, email } of open.filter((customer) => !known.has(customer.id) && !linked.has(customer.id))) {
      counts.unmatched += 1
      say(`${id}${email && ` (${email})`}: no member has this verified address, or nothing was ever paid there`)
    }
    after = hasMore ? customers.at(-1)?.id : undefined
  } while (after)
  return { ...counts, raised: counts.raised + (await raiseSameCards(deps)), elsewhere }
}

/** As of a customer who is nobody here. */
const unknown = { proof: 'address', isPartlyProven: false } as const

interface Page {
  customers: readonly ListedCustomer[]
  known: ReadonlyMap<string, Owner & Proven>
  rules: ClaimRules
}

/** A link that is wholly proven by what stands at the customer stays, whatever else does; another one yields to what weighs more. */
async function provenElsewhere(db: Db, { customers, known, rules }: Page): Promise<string[]> {
  const correctable = customers.filter(({ id }) => {
    const link = known.get(id)
    return link !== undefined && (!isWhollyProven(link) || isCorrectable(link.proof))
  })
  const owners = await ownersOf(db, correctable, rules)
  const isElsewhere = ({ id }: ListedCustomer, place: number) => {
    const [link, owner] = [known.get(id), owners[place]]
    if (link === undefined || owner === undefined || owner.memberId === link.memberId) return false
    return isWhollyProven(link) ? yieldsTo(link.proof, owner.proof) : isProven(owner.proof)
  }
  return correctable.filter(isElsewhere).map(({ id }) => id)
}

/** How many customers are linked with each proof. */
export async function proofCounts(db: Db): Promise<Record<LinkProof, number>> {
  const { proof, customerId } = providerCustomers
  const rows = await db
    .select({ proof, count: count(customerId) })
    .from(providerCustomers)
    .groupBy(proof)
  return { ours: 0, vendor: 0, signed: 0, address: 0, ...Object.fromEntries(rows.map((row) => [row.proof, row.count])) }
}

export interface LinkDeps {
  db: Db
  cards: Pick<CardProvider, 'readCustomer' | 'hasPaid' | 'claimsOf'>
  clock: Deps['clock']
  config: Pick<Deps['config'], 'SHOP_SIGNING_SECRET'>
  /** In the transaction that links a customer, or raises its proof: what they bought before follows. */
  onLinked(tx: Tx, memberId: string): Promise<void>
}

/** … for what a webhook tells. */
export function linkDeps(deps: Deps): LinkDeps {
  return { ...deps, onLinked: (tx, memberId) => enqueuePurchases(deps, tx, memberId) }
}

/**
 * Whose a customer of the card provider is. One who bought elsewhere, such as in the vendor's shop, is linked now, by the same rules as
 * above: where only an address says so and nothing was ever paid, this names the member, and nothing is linked.
 * @param objects what a subscription or an invoice of the customer says itself
 */
export async function ownerOfCustomer(
  deps: LinkDeps,
  customerId: string,
  objects: readonly ObjectClaim[] = [],
): Promise<Owner | undefined> {
  const known = await linkOfCustomer(deps.db, customerId)
  if (known && isWhollyProven(known)) return known
  const customer = await ifKnown(deps.cards.readCustomer(customerId))
  if (!customer) return known
  const rules = { secrets: deps.config.SHOP_SIGNING_SECRET }
  const purchases = objects.map((object) => ofPurchase(object, customer))
  if (known && isProven(known.proof)) return confirmed({ ...deps, rules }, customer, { known, purchases })
  const word = wordOf(await ownersOf(deps.db, [customer, ...purchases], rules))
  if (word === 'nobody') return undefined
  const owner = word && isProven(word.proof) ? word : (known ?? word)
  // Linked to somebody else by an address: what is proven counts for this object alone.
  if (!owner || (known && known.memberId !== owner.memberId)) return owner
  if (owner.proof === 'vendor' && (await isDenied(deps.db, customerId, owner))) return known
  if (isProven(owner.proof)) {
    const isRaised = known !== undefined
    return storeOwner(deps, customerId, isRaised ? owner : await asBought({ ...deps, rules }, customer, owner))
  }
  // What was declined at a customer who is the member all the same is asked by object.
  if (known) return owner
  // Asked first: what was paid for is listed then.
  const hasPaid = await deps.cards.hasPaid({ customer: customerId })
  const buyer = await ownerOfBought({ ...deps, rules }, customer)
  if (buyer) return storeOwner(deps, customerId, buyer)
  if (await isDenied(deps.db, customerId, owner)) return undefined
  return hasPaid ? storeOwner(deps, customerId, owner) : owner
}

interface PartlyKnown {
  known: Owner & Proven
  purchases: readonly Claim[]
}

/**
 * The vendor may have written since that the customer itself is that member: all that is there is theirs, then. What was bought there, and
 * says nothing itself, is theirs by an address alone.
 */
async function confirmed(
  deps: LinkDeps & { rules: ClaimRules },
  customer: ListedCustomer,
  { known, purchases }: PartlyKnown,
): Promise<Owner | undefined> {
  const { db, rules } = deps
  const [owner] = await ownersOf(db, [{ ...customer, email: '' }], rules)
  if (owner?.memberId === known.memberId) return storeOwner(deps, customer.id, owner)
  if (purchases.length === 0) return known
  const named = (await ownersOf(db, purchases, rules)).find((one) => one !== undefined && isProven(one.proof))
  return named ?? { memberId: known.memberId, proof: 'address' }
}

/** How a purchase itself says that it is a member's, whoever its customer is; undefined: it does not. */
export async function ownProofOf(
  { db, cards, config }: Pick<LinkDeps, 'db' | 'cards' | 'config'>,
  { customerId, claim }: { customerId: string; claim: ObjectClaim },
  memberId: string,
): Promise<LinkProof | undefined> {
  if (claim.memberId === '' && claim.reference === '' && !claim.isMadeByVendor) return undefined
  // What only the vendor can make is of whoever has the address that it was made for.
  const customer = claim.isMadeByVendor ? await ifKnown(cards.readCustomer(customerId)) : undefined
  const asked = ofPurchase(claim, { email: customer?.email ?? '' })
  const [owner] = await ownersOf(db, [asked], { secrets: config.SHOP_SIGNING_SECRET })
  return owner?.memberId === memberId && isProven(owner.proof) ? owner.proof : undefined
}

/** @returns whose it is by now: an address alone makes nobody the owner of what is proven; undefined: they have said that it is not theirs */
async function storeOwner(deps: LinkDeps, customerId: string, owner: Owner): Promise<Owner | undefined> {
  await storeLinks(deps.db, [{ customerId, ...owner }], deps.clock(), deps.onLinked)
  const stored = await linkOfCustomer(deps.db, customerId)
  if (!stored && isCorrectable(owner.proof)) return undefined
  return stored && (isProven(stored.proof) || !isProven(owner.proof)) ? stored : owner
}

/**
 * Links a member to all customers with their verified address at which something was paid. One of them may be proven to be another member.
 * @returns ids of the member's customers, also of earlier links, and of others with the address, who are nobody's here
 */
export async function linkCustomersOf(
  deps: Omit<LinkDeps, 'cards'> & { cards: Pick<CardProvider, 'customersOf' | 'hasPaid' | 'claimsOf'> },
  member: { id: string; email: string },
): Promise<{ linked: string[]; others: string[] }> {
  const { db, cards, clock, config } = deps
  const listed = await cards.customersOf(member.email)
  const known = await linksOf(db, listed)
  const open = listed.filter(({ id }) => !known.has(id))
  const rules = { secrets: config.SHOP_SIGNING_SECRET }
  const links = await payingFirst({ db, cards, rules }, open, await ownersOf(db, open, rules))
  await storeLinks(db, links, clock(), async (tx, memberId) => {
    // The member's own are looked for now.
    if (memberId !== member.id) await deps.onLinked(tx, memberId)
  })
  const taken = await linksOf(db, listed)
  return {
    linked: (await customersOfMember(db, member)).map(({ customerId }) => customerId),
    others: listed.map(({ id }) => id).filter((id) => !taken.has(id)),
  }
}

async function linksOf(db: Db, customers: readonly ListedCustomer[]): Promise<Map<string, Owner & Proven>> {
  const ids = customers.map(({ id }) => id)
  const rows = await db.select().from(providerCustomers).where(inArray(providerCustomers.customerId, ids))
  return new Map(rows.map((row) => [row.customerId, row]))
}

/** Those at which something was paid come first: the first proven one of a member becomes the main one. */
async function payingFirst(
  asking: Asking & { db: Db; cards: Pick<CardProvider, 'hasPaid'> },
  customers: readonly ListedCustomer[],
  owners: readonly (Owner | undefined)[],
): Promise<Link[]> {
  const { db, cards } = asking
  const known = await linksOf(db, customers)
  const links: (Link & { hasPaid: boolean })[] = []
  for (const [place, customer] of customers.entries()) {
    const { id: customerId } = customer
    const owner = owners[place]
    // A link that is there already is of no interest unless its proof is better now.
    if (!owner) continue
    const isTyped = !isProven(owner.proof)
    if (isTyped && known.has(customerId)) continue
    // Of one proven customer there is nothing to order.
    const isAlone = owners.filter((one) => one?.memberId === owner.memberId).length === 1
    const hasPaid = isTyped || !isAlone ? await cards.hasPaid({ customer: customerId }) : true
    if (isTyped && !hasPaid) continue
    const buyer = isTyped ? await ownerOfBought(asking, customer) : undefined
    if (!buyer && (await isDenied(db, customerId, owner))) continue
    links.push({ customerId, ...(buyer ?? owner), hasPaid })
  }
  return links.toSorted((one, other) => Number(other.hasPaid) - Number(one.hasPaid))
}

/**
 * Whether a member has said that something of a customer is not theirs, and only their address says that it is: what the vendor has made
 * or confirmed for it goes to whoever has it.
 */
async function isDenied(db: Reader, customerId: string, { memberId, proof }: Owner): Promise<boolean> {
  return (!isProven(proof) || proof === 'vendor') && isDeclined(db, { customerId, memberId })
}

/** The member's activity names each customer that is linked. */
function storeLinks(db: Db, links: readonly Link[], now: Date, onLinked?: LinkDeps['onLinked']) {
  return db.transaction(async (tx) => {
    const { linked, raised } = await linkCustomers(tx, links, now)
    for (const [target, memberId] of linked) {
      await recordProvider(tx, memberId, { action: 'customer.linked', target, now })
    }
    const proven = links.filter(({ customerId }) => raised.includes(customerId)).map(({ memberId }) => memberId)
    for (const memberId of new Set([...linked.values(), ...proven])) await onLinked?.(tx, memberId)
    return { linked, raised }
  })
}
