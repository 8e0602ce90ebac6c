import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { ArchiveKind, ArchiveRow } from './archives.queries.ts'
import { archiveParts, archives } from './archives.tables.ts'

const partBytes = 512 * 1024

interface NewArchive extends Partial<Pick<ArchiveRow, 'label' | 'request' | 'total'>> {
  memberId: string
  kind: ArchiveKind
  now: Date
}

/** Stores that an archive is to be made, instead of an earlier one of its kind. Under the member's lock. */
export async function newArchive(tx: Tx, { now, ...archive }: NewArchive): Promise<ArchiveRow> {
  const { memberId, kind } = archive
  await tx.delete(archives).where(and(eq(archives.memberId, memberId), eq(archives.kind, kind)))
  const [row] = await tx
    .insert(archives)
    .values({ ...archive, requestedAt: now })
    .returning()
  if (!row) throw new Error('the archive was not stored')
  return row
}

/** A whole file, of one run of its job. */
export interface StoredFile {
  archiveId: string
  runId: string
  /** Bytes. */
  size: number
}

/** Stores a file piece by piece. A job may run twice at once: each run has its own pieces, and one of them becomes the file. */
export async function storeFile(db: Db, archiveId: string, file: Readable): Promise<StoredFile> {
  const runId = randomUUID()
  let [number, size, length] = [0, 0, 0]
  let waiting: Buffer[] = []
  const store = async (content: Buffer) => {
    await db.insert(archiveParts).values({ archiveId, runId, number, content })
    number += 1
    size += content.length
  }
  for await (const chunk of file) {
    waiting.push(chunk)
    length += chunk.length
    // Joined once per piece: to join them one by one leaves hundreds of megabytes of copies behind.
    if (length < partBytes) continue
    let joined = Buffer.concat(waiting)
    for (; joined.length >= partBytes; joined = joined.subarray(partBytes)) await store(joined.subarray(0, partBytes))
    waiting = [joined]
    length = joined.length
  }
  if (length > 0) await store(Buffer.concat(waiting))
  return { archiveId, runId, size }
}

/** @returns whether this file is the archive now; false: another run was faster, or the archive was replaced */
export async function finishArchive(tx: Tx, { archiveId, runId, size }: StoredFile, expiresAt: Date): Promise<boolean> {
  const finished = await tx
    .update(archives)
    .set({ runId, size, expiresAt })
    .where(and(eq(archives.id, archiveId), isNull(archives.runId)))
  const isOurs = finished.rowCount === 1
  const other = isOurs ? ne(archiveParts.runId, runId) : eq(archiveParts.runId, runId)
  await tx.delete(archiveParts).where(and(eq(archiveParts.archiveId, archiveId), other))
  return isOurs
}

/** Stores how far the job is. A run after a restart begins anew, and does not take back what was shown. */
export async function storeProgress(db: Db, id: string, { done, missing }: Pick<ArchiveRow, 'done' | 'missing'>) {
  await db
    .update(archives)
    .set({ done: sql`greatest(${archives.done}, ${done})`, missing })
    .where(and(eq(archives.id, id), isNull(archives.runId)))
}
