import type { ArchiveRow } from './archives.queries.ts'

const names: Readonly<Record<ArchiveRow['kind'], string>> = { personal_data: 'account-data', orders: 'orders' }

/** `orders-2025.zip`, `account-data-2026-11-25.zip`: what it is, and of what or when it was requested (UTC). */
export function fileName({ kind, label, requestedAt }: Pick<ArchiveRow, 'kind' | 'label' | 'requestedAt'>): string {
  return `${names[kind]}-${label || requestedAt.toISOString().slice(0, 10)}.zip`
}

/** Milliseconds after which an archive that is not whole is not waited for: something is wrong with it. */
const joinedMs = 3_600_000

/** Whether the job that makes it is still waited for. */
export function isComing({ runId, requestedAt }: Pick<ArchiveRow, 'runId' | 'requestedAt'>, now: Date): boolean {
  return runId === null && now.getTime() - requestedAt.getTime() < joinedMs
}

/** Until when a file that is whole now can be downloaded. */
export function expiryOf({ ARCHIVE_HOURS }: { ARCHIVE_HOURS: number }, now: Date): Date {
  return new Date(now.getTime() + ARCHIVE_HOURS * 3_600_000)
}
