import { setTimeout as sleep } from 'node:timers/promises'
import { english, type LocaleCode, localeByCode } from '@atrium/contract/locale.ts'
import type { OnlineOrdersFilter } from '@atrium/contract/orders.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { CommitOutcomeUnknown, isDatabaseUnavailable } from '@atrium/server-kit/database-failure.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { recordSystem } from '../activity/activity.writes.ts'
import type { ArchiveRow } from '../archives/archives.queries.ts'
import { storeProgress } from '../archives/archives.writes.ts'
import type { ZipEntry } from '../archives/zip-stream.ts'
import { type ExportedOrder, exportedOrders } from './exported-orders.queries.ts'
import { documentOf } from './invoices.service.ts'
import { archivedFilename, type InvoiceKind, invoiceKind } from './orders.rules.ts'

interface Requested {
  filter: OnlineOrdersFilter
  lang: LocaleCode
  now: Date
}

/** Milliseconds between two writes of how far it is. */
const progressMs = 1000

/** The documents of a member's orders as files, then, if there are any, the numbers of those that are not among them. */
export async function* archivedDocuments(
  deps: Deps,
  { id, memberId }: Pick<ArchiveRow, 'id' | 'memberId'>,
  { filter, lang, now }: Requested,
): AsyncGenerator<ZipEntry> {
  const [missing, without]: [string[], string[]] = [[], []]
  const taken = new Set<string>()
  let [done, storedAt] = [0, 0]
  for await (const order of exportedOrders(deps.db, { memberId, filter, now })) {
    const kind = invoiceKind(order)
    if (kind === 'none') {
      without.push(order.orderNumber)
      continue
    }
    const content = await documentOrNone(deps, { order, kind, lang })
    if (content) yield { name: freeName(archivedFilename(kind, order), taken), content, isCompressed: true }
    else missing.push(order.orderNumber)

    done += 1
    if (Date.now() - storedAt < progressMs) continue
    storedAt = Date.now()
    await storeProgress(deps.db, id, { done, missing })
  }
  await storeProgress(deps.db, id, { done, missing })
  const note = noteOf({ missing, without }, lang)
  if (note !== '') yield { name: 'not-included.txt', content: Buffer.from(note) }
}

interface Wanted {
  order: ExportedOrder
  kind: Exclude<InvoiceKind, 'none'>
  lang: LocaleCode
}

/** How often a document is tried while the renderer is busy. */
const tries = 3

/**
 * As its download returns it; undefined if it cannot be made.
 * @throws while the database is away: nothing is wrong with the document, and the job is tried again
 */
async function documentOrNone(deps: Deps, { order, kind, lang }: Wanted, attempt = 1): Promise<Buffer | undefined> {
  const program = { memberId: order.memberId, actor: 'orders.archive', address: null, requestId: null }
  try {
    return await documentOf(deps, { order, kind, lang, recordFor: (tx, what) => recordSystem(tx, program, what) })
  } catch (error) {
    if (isDatabaseUnavailable(error) || error instanceof CommitOutcomeUnknown) throw error
    if (error instanceof Problem && error.code === 'overloaded' && attempt < tries) {
      await sleep((error.details.retryAfter ?? 1) * 1000)
      return documentOrNone(deps, { order, kind, lang }, attempt + 1)
    }
    deps.logger.warn({ err: error, orderNumber: order.orderNumber }, 'a document is missing in an archive')
    return undefined
  }
}

/** Numbers that differ in other characters only are the same in a file's name. */
function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = name.replace(/\.pdf$/, `-${number}.pdf`)
  taken.add(free.toLowerCase())
  return free
}

/** What is not in the ZIP, and why. */
function noteOf({ missing, without }: { missing: readonly string[]; without: readonly string[] }, lang: LocaleCode) {
  const { folder } = localeByCode(lang) ?? english
  const t = serverTexts(folder, 'invoice')
  const parts = [
    { title: t('archive.missing'), numbers: missing },
    { title: t('archive.without'), numbers: without },
  ]
  return parts
    .filter(({ numbers }) => numbers.length > 0)
    .map(({ title, numbers }) => [title, ...numbers, ''].join('\r\n'))
    .join('\r\n')
}
