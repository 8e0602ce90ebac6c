import type { Db, Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, ne, or } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import type { ObjectClaim } from '../../../outside/billed-invoice.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { recordProvider } from '../../activity/activity.writes.ts'
import { type Owner, ownersOf } from '../../payments/customers/customer-claims.queries.ts'
import { linkOfCustomer } from '../../payments/customers/customers.queries.ts'
import type { LinkDeps } from '../../payments/customers/customers.sync.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'
import { isCorrectable, isProven, isWhollyProven, type Proven } from '../../payments/customers/link-proofs.rules.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import type { EndingNeeds } from './end-team.writes.ts'
import { type GivenOutcome, giveCustomer, involvedIn, isAsCustomer, isUnproven } from './give-customer.ts'
import { idleCardsAt } from './own-cards.queries.ts'

type Needs = LinkDeps &
  Pick<Deps, 'logger'> &
  EndingNeeds & { cards: Pick<Deps['cards'], 'cards' | 'subscriptionsPaidBy'> }

/**
 * What an address alone, or the vendor's word about many, made one member's, or somebody has said is not theirs, is given to whom its customer
 * is proven to be, since the vendor's key or shop has written that there, or to what they bought. What stands in the way is logged, and the next event or
 * `sync -- customers` tries again.
 * @param object what a subscription of the customer says itself
 * @returns undefined: there is nothing to give
 */
export async function giveToProven(
  deps: Needs,
  customerId: string,
  object?: ObjectClaim,
): Promise<GivenOutcome | undefined> {
  const owner = await provenOwner(deps, customerId, object)
  if (!owner) return undefined
  const { db, logger } = deps
  const { memberId, proof, isPartlyProven } = owner
  const now = deps.clock()
  const idle = await idleCardsAt(deps, { customerId, memberIds: await involvedIn(db, customerId) })
  const outcome = await db.transaction(async (tx) => {
    const given = await giveCustomer(deps, tx, {
      customerId,
      memberId,
      proof,
      isPartlyProven,
      takes: 'unproven',
      idle,
      now,
    })
    if (given.kind !== 'linked') return given
    await recordProvider(tx, memberId, { action: 'customer.linked', target: customerId, now })
    await deps.onLinked(tx, memberId)
    return given
  })
  if (outcome.kind === 'own_card' || outcome.kind === 'being_changed') {
    logger.error({ customerId, memberId, outcome }, 'a customer is proven to be another member, and is not theirs yet')
  }
  return outcome
}

/** Who the customer is proven to be, if somebody else has it, or has something of it by an address. */
async function provenOwner(
  { db, cards, config }: Needs,
  customerId: string,
  object: ObjectClaim | undefined,
): Promise<Owner | undefined> {
  const link = await linkOfCustomer(db, customerId)
  const ofLink = async () => (link && (await hasUnproven(db, { ...link, customerId })) ? link : undefined)
  if (link && isWhollyProven(link) && !isCorrectable(link.proof)) return ofLink()
  if (!link && !(await hasTyped(db, customerId))) return undefined
  const customer = await ifKnown(cards.readCustomer(customerId))
  const isProvenLink = link !== undefined && isProven(link.proof)
  // The address that was typed there proves nothing, and one purchase nothing against another.
  const claims = [
    ...(customer ? [{ ...customer, email: '' }] : []),
    ...(object && !isProvenLink ? [{ ...object, email: '', isOfPurchase: true }] : []),
  ]
  const owners = await ownersOf(db, claims, { secrets: config.SHOP_SIGNING_SECRET })
  const owner = owners.find((one) => one !== undefined && one.memberId !== link?.memberId)
  return owner ?? (isProvenLink ? ofLink() : undefined)
}

async function hasUnproven(db: Db, of: { customerId: string; memberId: string } & Proven): Promise<boolean> {
  return (await db.$count(subscriptions, isUnproven({ ...of, before: undefined }))) > 0
}

/** Whether a member has added something of a customer who is nobody's here. */
async function hasTyped(db: Db, customerId: string): Promise<boolean> {
  const isOfCustomer = eq(subscriptions.customerId, customerId)
  return (await db.$count(subscriptions, and(isOfCustomer, eq(subscriptions.proof, 'address')))) > 0
}

/** Ids of customers who are proven to be a member, and of whom another one has something by an address alone, or since they were the customer. */
export async function heldByOthers(db: Reader): Promise<string[]> {
  const { customerId, memberId, proof, isPartlyProven } = providerCustomers
  const isOthers = and(eq(subscriptions.customerId, customerId), ne(subscriptions.memberId, memberId))
  const isWeaker = or(eq(subscriptions.proof, 'address'), and(isAsCustomer(), eq(isPartlyProven, false)))
  const rows = await db
    .selectDistinct({ customerId })
    .from(providerCustomers)
    .innerJoin(subscriptions, and(isOthers, isWeaker))
    .where(ne(proof, 'address'))
    .orderBy(asc(customerId))
  return rows.map((row) => row.customerId)
}
