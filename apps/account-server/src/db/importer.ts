import type { ImportRecord } from '@atrium/contract/imports.ts'
import type { Tx } from '@atrium/server-kit/database.ts'

type Type = ImportRecord['type']

/** A record with the number of its line. */
export interface Line<Wanted extends Type = Type> {
  number: number
  record: Extract<ImportRecord, { type: Wanted }>
}

interface Context {
  now: Date
  /** Says why a line is not applied: the field and a sentence. */
  refuse(line: { number: number }, field: string, reason: string): void
}

type Write<Wanted extends Type> = (tx: Tx, lines: Line<Wanted>[], context: Context) => Promise<void>

/** How a noun takes its lines in: upserted by natural key, so that a file can be applied twice with no double effect. */
export interface Importer {
  type: Type
  write: Write<Type>
}

export function importer<const Wanted extends Type>(type: Wanted, write: Write<Wanted>): Importer {
  const isOurs = (line: Line): line is Line & Line<Wanted> => line.record.type === type
  return { type, write: (tx, lines, context) => write(tx, lines.filter(isOurs), context) }
}

/** One statement cannot touch a row twice: of several lines with one key, the last counts. */
export function lastOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}
