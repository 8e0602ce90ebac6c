import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
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

/** Deletes what was made, or is being made, for members who no longer have all that is in it. They may request it again. */
export async function dropArchives(db: Db | Tx, memberIds: readonly string[]): Promise<void> {
  if (memberIds.length === 0) return
  await db.delete(archives).where(inArray(archives.memberId, [...memberIds]))
}

/** A whole file, of one run of its job. */
export interface StoredFile {
  archiveId: string
  runId: string
  /** Bytes. */
  size: number
}

/** Stores a file piece by piece. A job may run twice at once: each run has its own pieces, and one of them becomes the file. */
export async function storeFile(db: Db, archiveId: string, file: AsyncIterable<Uint8Array>): Promise<StoredFile> {
  const runId = randomUUID()
  // The same memory for all parts: fresh buffers would be freed late.
  const part = Buffer.alloc(partBytes)
  let [number, size, filled] = [0, 0, 0]
  const store = async () => {
    await db.insert(archiveParts).values({ archiveId, runId, number, content: part.subarray(0, filled) })
    number += 1
    size += filled
    filled = 0
  }
  for await (const chunk of file) {
    for (let rest = chunk; rest.length > 0; ) {
      const fitting = rest.subarray(0, partBytes - filled)
      part.set(fitting, filled)
      filled += fitting.length
      rest = rest.subarray(fitting.length)
      if (filled === partBytes) await store()
    }
  }
  if (filled > 0) await store()
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
