import type { Member } from '@atrium/server-kit/caller.ts'
import type { Db, Reader } from '@atrium/server-kit/database.ts'
import { and, eq, gt, isNotNull, isNull, lt, or } from 'drizzle-orm'
import { archiveParts, archives } from './archives.tables.ts'

export type ArchiveRow = typeof archives.$inferSelect
export type ArchiveKind = ArchiveRow['kind']

/** The member's archive of a kind; undefined: none, or it has expired. */
export async function memberArchive(
  db: Reader,
  member: Pick<Member, 'id'>,
  { kind, now }: { kind: ArchiveKind; now: Date },
): Promise<ArchiveRow | undefined> {
  const isThere = or(isNull(archives.expiresAt), gt(archives.expiresAt, now))
  const [row] = await db
    .select()
    .from(archives)
    .where(and(eq(archives.memberId, member.id), eq(archives.kind, kind), isThere))
  return row
}

/** An archive that a job has still to make; undefined: it is made, was replaced, or its member was erased. */
export async function unfinishedArchive(db: Reader, id: string): Promise<ArchiveRow | undefined> {
  const [row] = await db
    .select()
    .from(archives)
    .where(and(eq(archives.id, id), isNull(archives.runId)))
  return row
}

type DownloadableArchive = Pick<ArchiveRow, 'id' | 'kind' | 'label' | 'requestedAt'> & { runId: string; size: number }

/** A file that the member may download now. */
export async function downloadableArchive(
  db: Reader,
  member: Pick<Member, 'id'>,
  { id, now }: { id: string; now: Date },
): Promise<DownloadableArchive | undefined> {
  const { runId, size, kind, label, requestedAt } = archives
  const [row] = await db
    .select({ id: archives.id, runId, size, kind, label, requestedAt })
    .from(archives)
    .where(
      and(
        eq(archives.id, id),
        eq(archives.memberId, member.id),
        isNotNull(archives.runId),
        gt(archives.expiresAt, now),
      ),
    )
  if (!row || row.runId === null || row.size === null) return undefined
  return { ...row, runId: row.runId, size: row.size }
}

/** The pieces of a file, each read when it is wanted. @throws Error if it is deleted meanwhile: a download must not look whole */
export async function* archiveContent(
  db: Db,
  { id, runId, size }: { id: string; runId: string; size: number },
): AsyncGenerator<Buffer, void> {
  let left = size
  for (let number = 0; left > 0; number += 1) {
    const [part] = await db
      .select({ content: archiveParts.content })
      .from(archiveParts)
      .where(and(eq(archiveParts.archiveId, id), eq(archiveParts.runId, runId), eq(archiveParts.number, number)))
    if (!part) throw new Error(`archive ${id} was deleted while it was read`)
    left -= part.content.length
    yield part.content
  }
}

/** Archives that have expired, or that nobody finished within two days. */
export function isOver(now: Date) {
  const twoDaysAgo = new Date(now.getTime() - 2 * 86_400_000)
  return or(lt(archives.expiresAt, now), and(isNull(archives.runId), lt(archives.requestedAt, twoDaysAgo)))
}
