import type { Tx } from '@atrium/server-kit/database.ts'
import { and, inArray, isNull } from 'drizzle-orm'
import { dateOrNull, excluded, importer, type Line, noMember, noProduct, refused, rowsOf } from '../../db/importer.ts'
import { memberIdsByEmail } from '../../db/members.queries.ts'
import { productCodes } from '../catalog/catalog.queries.ts'
import { subscriptions } from './subscriptions.tables.ts'

type SubscriptionLine = Line<'subscription'>

export const subscriptionImporter = importer('subscription', async (tx, lines, context) => {
  const lookups = await loadLookups(tx, lines)
  const rows = rowsOf(lines, context, (record) => rowOf(record, lookups))
  const [first] = rows
  if (!first) return

  const imported = excluded(subscriptions, fieldsOf(first))
  await tx.insert(subscriptions).values(rows).onConflictDoUpdate({ target: subscriptions.id, set: imported })
})

/** All rows have the same fields; the id stays. */
function fieldsOf(row: Exclude<ReturnType<typeof rowOf>, { reason: string }>) {
  const { id: _, ...fields } = row
  return Object.keys(fields).filter((name): name is keyof typeof fields => name in fields)
}

interface Lookups {
  memberIds: ReadonlyMap<string, string>
  codes: ReadonlySet<string>
  /** The Owners' member ids of subscriptions that may have add-ons. */
  parents: Map<string, string>
}

async function loadLookups(tx: Tx, lines: readonly SubscriptionLine[]): Promise<Lookups> {
  const records = lines.map(({ record }) => record)
  const memberIds = await memberIdsByEmail(
    tx,
    records.map(({ email }) => email),
  )
  const parentIds = records.flatMap(({ parentId }) => parentId ?? [])
  const { id, memberId, parentId } = subscriptions
  const parents = await tx
    .select({ id, memberId })
    .from(subscriptions)
    .where(and(inArray(id, parentIds), isNull(parentId)))
  return { memberIds, codes: await productCodes(tx), parents: new Map(parents.map((row) => [row.id, row.memberId])) }
}

function rowOf(record: SubscriptionLine['record'], { memberIds, codes, parents }: Lookups) {
  const { subscriptionId: id, productCode, status, userCount, origin, channel, orgCode, parentId = null } = record
  const memberId = memberIds.get(record.email)
  if (!memberId) return noMember
  if (!codes.has(productCode)) return noProduct
  if (parentId === null) parents.set(id, memberId)
  else if (parentId === id || parents.get(parentId) !== memberId) {
    return refused('parentId', 'must be another subscription of the same customer that is not an add-on itself')
  }

  return {
    ...{ id, memberId, productCode, status, userCount, origin, channel, orgCode, parentId },
    autoRenew: record.autoRenewal,
    periodStart: new Date(record.periodStart),
    periodEnd: dateOrNull(record.periodEnd),
    trialEnd: dateOrNull(record.trialEnd),
    cancelAt: dateOrNull(record.cancelAt),
    pastDueSince: dateOrNull(record.pastDueSince),
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
