import { LocaleCode } from '@atrium/contract/locale.ts'
import {
  type requestOrderArchive as contract,
  mostExportedOrders,
  type OrderArchiveReply,
} from '@atrium/contract/order-files.ts'
import { OnlineOrdersFilter } from '@atrium/contract/orders.ts'
import { yearOf } from '@atrium/contract/range.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { z } from 'zod'
import { lockCaller } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { type ArchiveRow, memberArchive, unfinishedArchive } from '../archives/archives.queries.ts'
import { expiryOf, isComing } from '../archives/archives.rules.ts'
import { finishArchive, newArchive, storeFile } from '../archives/archives.writes.ts'
import { zipStream } from '../archives/zip-stream.ts'
import { numberOfExported } from './exported-orders.queries.ts'
import { archivedDocuments } from './order-archive-entries.ts'

export const orderArchiveQueue = 'orders.archive'

/** An archive that was requested. */
export interface OrderArchiveJob {
  archiveId: string
}

const kind = 'orders'

/** What is stored about the request. */
const Requested = z.object({
  filter: OnlineOrdersFilter,
  lang: LocaleCode,
  /** From which the range counts back. */
  now: z.coerce.date(),
})

export async function latestOrderArchive({ db, wallClock }: Deps, member: Member): Promise<OrderArchiveReply> {
  return replyOf(await memberArchive(db, member, { kind, now: wallClock() }))
}

/**
 * Joins an archive that is being prepared; replaces one that is ready, or that could not be made within an hour.
 * @throws Problem `no_documents`, `too_many_orders`
 */
export function requestOrderArchive(
  deps: Deps,
  member: Member,
  { lang, ...filter }: z.output<typeof contract.body>,
): Promise<OrderArchiveReply> {
  const now = deps.wallClock()
  const memberId = member.id
  return deps.db.transaction(async (tx) => {
    await lockCaller(tx, member)
    const latest = await memberArchive(tx, member, { kind, now })
    if (latest && isComing(latest, now)) return replyOf(latest)

    const asOf = deps.clock()
    const { orders, documents: total } = await numberOfExported(tx, { memberId, filter, now: asOf })
    if (orders > mostExportedOrders) throw new Problem('too_many_orders')
    if (total === 0) throw new Problem('no_documents')

    const request = { filter, lang, now: asOf.toISOString() }
    const label = String(yearOf(filter.range) ?? '')
    const archive = await newArchive(tx, { memberId, kind, label, request, total, now })
    const details = { ...filter, orders }
    await record(tx, member, { action: 'order_archive.requested', target: archive.id, details, now })
    await deps.jobs.send(tx, orderArchiveQueue, { archiveId: archive.id } satisfies OrderArchiveJob)
    return replyOf(archive)
  })
}

/**
 * Makes the file. After a restart it begins anew, with the documents that were stored before. Run again once it is whole, it does
 * nothing more.
 */
export async function makeOrderArchive(deps: Deps, archiveId: string): Promise<void> {
  const { db, wallClock, config } = deps
  const archive = await unfinishedArchive(db, archiveId)
  if (!archive) return
  const requested = Requested.parse(archive.request)
  const stored = await storeFile(db, archiveId, zipStream(archivedDocuments(deps, archive, requested)))
  await db.transaction((tx) => finishArchive(tx, stored, expiryOf(config, wallClock())))
}

function replyOf(archive: ArchiveRow | undefined): OrderArchiveReply {
  if (!archive) return { orderArchive: null }
  const { id, total, done, missing, size, expiresAt } = archive
  const { filter } = Requested.parse(archive.request)
  const file = size === null || expiresAt === null ? null : { size, expiresAt: expiresAt.toISOString() }
  return { orderArchive: { id, filter, total, done: Math.min(done, total), missing, file } }
}
