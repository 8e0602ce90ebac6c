import type { ArchiveRow } from './archives.queries.ts'

const names: Readonly<Record<ArchiveRow['kind'], string>> = { personal_data: 'account-data' }

/** `account-data-2026-11-25.zip`: what it is, and when it was requested (UTC). */
export function fileName({ kind, requestedAt }: Pick<ArchiveRow, 'kind' | 'requestedAt'>): string {
  return `${names[kind]}-${requestedAt.toISOString().slice(0, 10)}.zip`
}
