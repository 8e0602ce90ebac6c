import type { ImportRecord } from '@atrium/contract/imports.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { getTableColumns, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'

type Type = ImportRecord['type']

/** A record with its line number. */
export interface Line<Wanted extends Type = Type> {
  number: number
  record: Extract<ImportRecord, { type: Wanted }>
}

export interface Context {
  now: Date
  /** The folder of the import file, where files named by lines are looked up; undefined if there is none. */
  folder: string | undefined
  /** Hosts from which invoices may be fetched (`INVOICE_HOSTS`). */
  invoiceHosts: readonly string[]
  /** Reports why a line is not applied: the field and a sentence. */
  refuse(line: { number: number }, field: string, reason: string): void
  /** Reports something questionable about a line that is applied. */
  warn(line: { number: number }, field: string, reason: string): void
}

/**
 * The lines have different natural keys: a statement cannot change a row twice, and a line sees what an earlier one with its
 * key stored.
 */
type Write<Wanted extends Type> = (tx: Tx, lines: Line<Wanted>[], context: Context) => Promise<void>

/**
 * How a noun imports its lines: upserts by natural key, so that importing a file again has no double effect. Several importers
 * may handle the same type, one after the other in one transaction.
 */
export interface Importer {
  type: Type
  write: Write<Type>
}

export function importer<const Wanted extends Type>(type: Wanted, write: Write<Wanted>): Importer {
  const isOurs = (line: Line): line is Line & Line<Wanted> => line.record.type === type
  return { type, write: (tx, lines, context) => write(tx, lines.filter(isOurs), context) }
}

/** Why a line is not applied. */
interface Refused {
  field: string
  reason: string
}

export function refused(field: string, reason: string): Refused {
  return { field, reason }
}

export const noMember = refused('email', 'no member has this e-mail address')
export const noProduct = refused('productCode', 'the catalog has no such product')

/** Maps lines to rows; a line that maps to a reason is refused. */
export function rowsOf<Wanted extends Type, Row extends object>(
  lines: readonly Line<Wanted>[],
  { refuse }: Pick<Context, 'refuse'>,
  rowOf: (record: Line<Wanted>['record']) => Row | Refused,
): Row[] {
  return lines.flatMap((line) => {
    const row = rowOf(line.record)
    if (!isRefused(row)) return [row]
    refuse(line, row.field, row.reason)
    return []
  })
}

function isRefused(row: object): row is Refused {
  return 'reason' in row && 'field' in row
}

/**
 * For `insert(table).select(…)`: all rows as one parameter, because building one per value takes Drizzle longer than the insert
 * itself. All rows have the same fields; other columns get their defaults (not lists).
 */
export function recordset<Table extends PgTable>(table: Table, rows: readonly Table['$inferInsert'][]) {
  const columns = Object.entries(getTableColumns(table))
  const given = new Set(Object.keys(rows[0] ?? {}))
  const isGiven = ([field]: (typeof columns)[number]) => given.has(field)
  const records = rows.map((row) =>
    Object.fromEntries(columns.filter(isGiven).map(([field, { name }]) => [name, Reflect.get(row, field)])),
  )
  const selected = columns.map((entry) =>
    isGiven(entry) ? sql`r.${sql.identifier(entry[1].name)}` : sql`${entry[1].default ?? null}`,
  )
  const record = sql`jsonb_populate_recordset(null::${table}, ${JSON.stringify(records)}::jsonb)`
  return sql`select ${sql.join(selected, sql`, `)} from ${record} r`
}

/** From a record's ISO 8601, or null. */
export function dateOrNull(instant: string | undefined): Date | null {
  return instant === undefined ? null : new Date(instant)
}
