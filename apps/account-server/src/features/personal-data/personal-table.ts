import type { Tx } from '@atrium/server-kit/database.ts'
import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { hasHiddenPrice } from '../subscriptions/hidden-prices.queries.ts'
import { shownRow } from './shown-rows.ts'

/** Whom an erasure or an export is about. */
export interface Person {
  /** Null: nobody signs in with the address, but a seat or an invitation may have it. */
  memberId: string | null
  /** Lower case. */
  email: string
  now: Date
}

/** The field of an export that lists the rows of a table. */
type Noun = string

type ColumnOf<Table extends PgTable> = keyof Table['_']['columns'] & string

/** By reason: the columns that stay as they are. */
type Kept<Table extends PgTable> = Readonly<Record<string, readonly ColumnOf<Table>[]>>

interface Plan<Table extends PgTable> {
  noun: Noun
  /** The rows that an erasure changes. */
  rows(person: Person): SQL
  /** The rows of an export, if not the same. */
  exported?(person: Person): SQL
  /** Columns that an export leaves out: secrets, and what is about others. */
  withheld?: readonly ColumnOf<Table>[]
  /** Columns with a key, of which an export has the mask. */
  masked?: readonly ColumnOf<Table>[]
  /** The id of the subscription or order that a row is about, where rows say what it cost. */
  priceOf?: SQLWrapper
  /** What an erasure does with the rows. */
  erase: 'delete' | ErasedColumns<Table>
}

interface ErasedColumns<Table extends PgTable> {
  set?(person: Person): Partial<Record<ColumnOf<Table>, unknown>>
  keep: Kept<Table>
}

/** A table with personal data: which rows are about a person, and what becomes of each free text of theirs. */
export interface PersonalTable {
  table: PgTable
  noun: Noun
  /** Columns of which an erasure leaves nothing; `all`: the rows are deleted. */
  replaced: readonly string[] | 'all'
  /** Columns that stay, for a reason. */
  kept: readonly string[]
  /** @returns the number of rows */
  erase(tx: Tx, person: Person): Promise<number>
  read(tx: Tx, person: Person): Promise<Record<string, unknown>[]>
}

const nobody: Person = { memberId: null, email: '', now: new Date(0) }

export function personalTable<Table extends PgTable>(table: Table, plan: Plan<NoInfer<Table>>): PersonalTable {
  const { noun, erase, rows, exported = rows, withheld = [], masked = [], priceOf } = plan
  // Drizzle's builders do not take a table whose type is a parameter.
  const plain: PgTable = table
  const columns = erase === 'delete' ? undefined : erase
  return {
    table,
    noun,
    replaced: columns ? Object.keys(columns.set?.(nobody) ?? {}) : 'all',
    kept: Object.values(columns?.keep ?? {}).flat(),
    async erase(tx, person) {
      if (!columns) return (await tx.delete(plain).where(rows(person))).rowCount ?? 0
      const values: Record<string, unknown> = columns.set?.(person) ?? {}
      if (Object.keys(values).length === 0) return 0
      return (await tx.update(plain).set(values).where(rows(person))).rowCount ?? 0
    },
    async read(tx, person) {
      const shown = Object.fromEntries(
        Object.entries(getTableColumns(plain)).filter(([name]) => !withheld.some((hidden) => hidden === name)),
      )
      const isPriceHidden = priceOf ? hasHiddenPrice(priceOf) : sql<boolean>`false`
      const found = await tx.select({ shown, isPriceHidden }).from(plain).where(exported(person))
      return found.map((row) => shownRow(row.shown, { keys: masked, isPriceHidden: row.isPriceHidden }))
    },
  }
}

/** Whether a column names the member; never if there is none. */
export function isMember(column: AnyPgColumn, { memberId }: Person): SQL {
  return sql`${column} = ${memberId}::uuid`
}

/** What stands for an address, unique by the row's id. */
export function placeholder(id: AnyPgColumn): SQL {
  return sql`'erased-' || ${id} || '@invalid'`
}

/** JSON without the person's address, wherever it stands in it. */
export function withoutAddress(json: AnyPgColumn | SQL, { email }: Person): SQL {
  return sql`regexp_replace(${json}::text, ${addressPattern(email)}, 'erased@invalid', 'gi')::jsonb`
}

export function containsAddress(json: AnyPgColumn, { email }: Person): SQL {
  return sql`${json}::text ~* ${addressPattern(email)}`
}

/** The address as a whole: `ada@x.test` stands neither in `lada@x.test` nor in `ada@x.tests`. In JSON, `\n` may precede it. */
function addressPattern(email: string): string {
  const literal = email.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return String.raw`(?:(?<![\w.%+'-])|(?<=\\[nrt]))${literal}(?![\w-]|\.\w)`
}

/** JSON without what a device was called, and its MAC address. */
export function withoutDevice(json: AnyPgColumn | SQL): SQL {
  return sql`(${json} - array['hostName', 'pcName', 'deviceName', 'mac', 'macAddress'])`
}
