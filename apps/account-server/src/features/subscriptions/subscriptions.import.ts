import { excluded, type Tx } from '@atrium/server-kit/database.ts'
import { and, eq, gt, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import {
  type Context,
  dateOrNull,
  importer,
  type Line,
  noMember,
  noProduct,
  refused,
  rowsOf,
} from '../../db/importer.ts'
import { lockMembersByEmail } from '../../db/members.queries.ts'
import { dropArchives } from '../archives/archives.writes.ts'
import { productCodes } from '../catalog/catalog.queries.ts'
import { declinedObjects, linkedObjects } from '../payments/unmatched/unmatched.queries.ts'
import { forgetOffers } from '../payments/unmatched/unmatched.writes.ts'
import { markHiddenOrders } from './hidden-orders.writes.ts'
import { movedObjects } from './moving/moved-objects.tables.ts'
import { reassignSubscriptions } from './ownership/reassign.writes.ts'
import { isInUse } from './subscription-flags.rules.ts'
import { lockSubscriptions } from './subscriptions.queries.ts'
import { subscriptions } from './subscriptions.tables.ts'

type SubscriptionLine = Line<'subscription'>

export const subscriptionImporter = importer('subscription', write)

async function write(tx: Tx, lines: readonly SubscriptionLine[], context: Context): Promise<void> {
  const lookups = await loadLookups(tx, lines)
  const isBilled = ({ record }: SubscriptionLine) => lookups.billed.has(record.subscriptionId)
  const billed = rowsOf(lines.filter(isBilled), context, (record) => rowOf(record, { ...lookups, now: context.now }))
  for (const line of lines.filter(isBilled)) context.warn(line, 'subscriptionId', billedElsewhere)
  const named = new Map(lines.map(({ record }) => [record.subscriptionId, record]))
  for (const row of billed) await updateBilled(tx, row, named.get(row.id)?.parentId !== undefined)
  await markHiddenOrders(
    tx,
    billed.map(({ id }) => id),
  )

  await dropPriced(tx, billed, lookups)

  const others = lines.filter((line) => !isBilled(line))
  const rows = rowsOf(others, context, (record) => rowOf(record, { ...lookups, now: context.now }))
  const [first] = rows
  if (!first) return

  const isPooled = sql`${subscriptions.isPooled} or excluded.is_pooled`
  const imported = { ...excluded(subscriptions, fieldsOf(first)), isPooled }
  const setWhere = isNull(subscriptions.providerId)
  const written = await tx
    .insert(subscriptions)
    .values(rows)
    .onConflictDoUpdate({ target: subscriptions.id, set: imported, setWhere })
    .returning({ id: subscriptions.id })
  const ids = new Set(written.map(({ id }) => id))
  const isWritten = ({ id }: { id: string }) => ids.has(id)
  await dropPriced(tx, rows.filter(isWritten), lookups)
  await reassign(tx, rows.filter(isWritten), { ...lookups, now: context.now })
  await forgetOffers(tx, [...ids])
  // What a provider was read for meanwhile for the first time is there by now.
  const unwritten = new Set(rows.filter((row) => !isWritten(row)).map(({ id }) => id))
  const left = others.filter(({ record }) => unwritten.has(record.subscriptionId))
  if (left.length > 0) await write(tx, left, context)
}

/** What was packed before, as a data export, shows prices that are hidden from now on, also where there are no orders. */
async function dropPriced(tx: Tx, rows: readonly Imported[], { owners, priced }: Lookups): Promise<void> {
  const hidden = rows.filter(({ id, isPriceHidden }) => isPriceHidden && priced.has(id))
  await dropArchives(tx, [...new Set(hidden.flatMap(({ id }) => owners.get(id) ?? []))])
}

/** Whoever had it before has nothing of it any more, as after a transfer, unless a line about their seat follows. */
async function reassign(tx: Tx, rows: readonly Imported[], { owners, now }: RowFacts): Promise<void> {
  const moved = rows.filter(({ id, memberId }) => (owners.get(id) ?? memberId) !== memberId)
  for (const [memberId, theirs] of Map.groupBy(moved, (row) => row.memberId)) {
    const ids = theirs.map(({ id }) => id)
    await reassignSubscriptions(tx, { ids, memberId, proof: 'vendor', now })
  }
}

const billedElsewhere =
  'is billed at a payment provider, which says its state: only orgCode, parentId, priceHidden, manageUrl and envelopeSharing are applied'

/**
 * What the provider does not know of a subscription. Sharing of envelopes is never turned off again, and the provider may know what an
 * add-on belongs to.
 */
async function updateBilled(tx: Tx, { id, ...row }: Imported, hasParent: boolean): Promise<void> {
  const { orgCode, parentId, isPriceHidden, manageUrl } = row
  const isPooled = row.isPooled ? { isPooled: true } : {}
  const vendors = { orgCode, isPriceHidden, manageUrl, ...isPooled, ...(hasParent && { parentId }) }
  await tx.update(subscriptions).set(vendors).where(eq(subscriptions.id, id))
}

type Imported = Exclude<ReturnType<typeof rowOf>, { reason: string }>

/** All rows have the same fields; the id stays. */
function fieldsOf(row: Imported) {
  const { id: _, ...fields } = row
  return Object.keys(fields).filter((name): name is keyof typeof fields => name in fields)
}

interface Lookups {
  memberIds: ReadonlyMap<string, string>
  codes: ReadonlySet<string>
  /** The Owners' member ids, as they were stored. */
  owners: ReadonlyMap<string, string>
  /** Ids of those whose price was shown. */
  priced: ReadonlySet<string>
  /** The Owners' member ids of subscriptions that may have add-ons. */
  parents: Map<string, string>
  /** The Owners' member ids of subscriptions that a provider bills, or has billed until a transfer: no file names another. */
  billed: ReadonlyMap<string, string>
  /** Whom a file has named as the Owner last, of those that have another one since. */
  moved: ReadonlyMap<string, string | null>
  /** Who has said that it is not theirs. */
  declined: ReadonlyMap<string, ReadonlySet<string>>
  /** Whom the operator has named, of those that were not read yet. */
  linked: ReadonlyMap<string, string>
}

async function loadLookups(tx: Tx, lines: readonly SubscriptionLine[]): Promise<Lookups> {
  const records = lines.map(({ record }) => record)
  // A member's row is locked before what belongs to it: they may be saying now that it is not theirs.
  const memberIds = await lockMembersByEmail(
    tx,
    records.map(({ email }) => email),
  )
  const ids = records.map(({ subscriptionId }) => subscriptionId)
  const parentIds = records.flatMap(({ parentId }) => parentId ?? [])
  await lockSubscriptions(tx, [...ids, ...parentIds])
  const { id, memberId, parentId } = subscriptions
  const parents = await tx
    .select({ id, memberId })
    .from(subscriptions)
    .where(and(inArray(id, parentIds), isNull(parentId)))
  const { providerId, subscriptionId } = movedObjects
  const moved = () => tx.select({ id: subscriptionId }).from(movedObjects)
  const ofProvider = moved().where(ne(providerId, subscriptionId))
  // What was never read at a provider has only the vendor's own number, also after a transfer.
  const wasRead = and(gt(subscriptions.syncNumber, 0), inArray(id, moved()))
  const isBilled = sql<boolean>`(${or(isNotNull(subscriptions.providerId), inArray(id, ofProvider), wasRead)})`
  const { importedFor, isPriceHidden } = subscriptions
  const known = await tx
    .select({ id, memberId, importedFor, isPriceHidden, isBilled })
    .from(subscriptions)
    .where(inArray(id, ids))
  const ownersOf = (rows: typeof parents) => new Map(rows.map((row) => [row.id, row.memberId]))
  return {
    ...{ memberIds, codes: await productCodes(tx), owners: ownersOf(known), parents: ownersOf(parents) },
    ...{ declined: await declinedObjects(tx, ids), linked: await linkedObjects(tx, ids) },
    priced: new Set(known.filter((row) => !row.isPriceHidden).map((row) => row.id)),
    billed: ownersOf(known.filter((row) => row.isBilled)),
    moved: new Map(known.filter((row) => row.importedFor !== row.memberId).map((row) => [row.id, row.importedFor])),
  }
}

const ofAnother =
  'it is billed to another customer, or was transferred to one; whom a file has named is corrected by npm run members -- link-customer'

interface RowFacts extends Lookups {
  now: Date
}

function rowOf(
  record: SubscriptionLine['record'],
  { memberIds, codes, parents, billed, moved, declined, linked, now }: RowFacts,
) {
  const { subscriptionId: id, productCode, status, userCount, origin, channel, orgCode, parentId = null } = record
  const memberId = memberIds.get(record.email)
  if (!memberId) return noMember
  const owner = billed.get(id) ?? linked.get(id) ?? memberId
  if (owner !== memberId || moved.get(id) === memberId) return refused('email', ofAnother)
  if (declined.get(id)?.has(memberId)) return refused('email', 'the member has said that it is not theirs')
  if (!codes.has(productCode)) return noProduct
  const pastDueSince = dateOrNull(record.pastDueSince)
  if (pastDueSince && pastDueSince > now) return refused('pastDueSince', 'is ahead: it is when a payment failed')
  if (parentId === null) parents.set(id, memberId)
  else if (parentId === id || parents.get(parentId) !== memberId) {
    return refused('parentId', 'must be another subscription of the same customer that is not an add-on itself')
  }

  return {
    importedFor: memberId,
    // A file is the vendor's word, whatever address the provider's customer has.
    proof: 'vendor' as const,
    ...{ id, memberId, productCode, status, userCount, origin, channel, orgCode, parentId },
    autoRenew: record.autoRenewal,
    periodStart: new Date(record.periodStart),
    periodEnd: dateOrNull(record.periodEnd),
    trialEnd: dateOrNull(record.trialEnd),
    cancelAt: dateOrNull(record.cancelAt),
    // Of one whose payments go on, nothing is due any more.
    pastDueSince: isInUse({ status }) ? null : pastDueSince,
    endedAt: dateOrNull(record.endedAt),
    createdAt: new Date(record.created ?? record.periodStart),
    term: record.term ?? null,
    price: record.price ?? null,
    currency: record.currency ?? null,
    storageCapacity: record.storageCapacity,
    connectors: record.connectors,
    isPriceHidden: record.priceHidden,
    manageUrl: record.manageUrl,
    isPooled: record.envelopeSharing,
  }
}
