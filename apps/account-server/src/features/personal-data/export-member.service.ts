import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { members } from '../../db/members.tables.ts'
import { invoiceFiles } from '../orders/orders.tables.ts'
import { personalTables } from './personal-tables.ts'

/** Everything stored about a person: the rows by noun, in the names of their columns, and the invoices. */
export interface PersonalExport {
  data: Readonly<Record<string, readonly Record<string, unknown>[]>>
  files: readonly { name: string; content: Buffer }[]
}

export type ExportOutcome =
  | { kind: 'nobody' }
  | { kind: 'several'; memberIds: readonly string[] }
  | { kind: 'exported'; export: PersonalExport }

/** Reads everything about whoever has an address, as of one moment. Without secrets, and without what is about others. */
export function exportMember(db: Db, { email, now }: { email: string; now: Date }): Promise<ExportOutcome> {
  return db.transaction(
    async (tx): Promise<ExportOutcome> => {
      const found = await tx.select({ id: members.id }).from(members).where(eq(members.email, email))
      if (found.length > 1) return { kind: 'several', memberIds: found.map(({ id }) => id) }
      const read = await readAll(tx, { memberId: found[0]?.id ?? null, email, now })
      const isEmpty = Object.values(read.data).every((rows) => rows.length === 0)
      return isEmpty ? { kind: 'nobody' } : { kind: 'exported', export: read }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

async function readAll(
  tx: Tx,
  person: Parameters<(typeof personalTables)[number]['read']>[1],
): Promise<PersonalExport> {
  const data: Record<string, readonly Record<string, unknown>[]> = {}
  const files: { name: string; content: Buffer }[] = []
  for (const { table, noun, read } of personalTables) {
    const rows = await read(tx, person)
    data[noun] = table === invoiceFiles ? rows.map((row) => invoiceRow(row, files)) : rows
  }
  return { data, files }
}

/** The row with the name of its file instead of the file. */
function invoiceRow({ pdf, ...row }: Record<string, unknown>, files: { name: string; content: Buffer }[]) {
  const file = `invoices/${String(row.orderNumber).replace(/[^\w.-]/g, '_')}-${row.kind}.pdf`
  if (Buffer.isBuffer(pdf)) files.push({ name: file, content: pdf })
  return { ...row, file }
}
