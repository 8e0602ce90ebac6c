import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import type { Line } from '../../db/importer.ts'
import { recordImport } from '../activity/activity.writes.ts'
import { importLines, type Refusal } from './import-lines.ts'
import { importers } from './importers.ts'

interface ImportOptions {
  input: Readable
  /** For the activity row. */
  fileName: string
  /** Where it lies: files that it names are looked for there, and nowhere else. */
  folder?: string
  /** Hosts from which invoices may be fetched (`INVOICE_HOSTS`). */
  invoiceHosts?: readonly string[]
  now: Date
  /** Check everything against the database, and change nothing. */
  dryRun: boolean
  onRefused(refusal: Refusal): void
  onProgress?(lines: number): void
}

export interface ImportResult {
  applied: number
  refused: number
}

/** Lines that go to the database together; lines of one type that follow each other. */
const batchSize = 500

/** Applies a file batch by batch: a bad line is told and left out, the good ones stay applied. */
export async function importFile(db: Db, options: ImportOptions): Promise<ImportResult> {
  if (!options.dryRun) return applyLines(options, (batch) => db.transaction((tx) => batch(tx)))

  const whole = Symbol('dry run')
  let result: ImportResult | undefined
  await db
    .transaction(async (tx) => {
      // A later line may lean on an earlier one, so all of it is tried in one transaction, which then goes.
      result = await applyLines(options, (batch) => tx.transaction((inner) => batch(inner)))
      throw whole
    })
    .catch((thrown) => {
      if (thrown !== whole) throw thrown
    })
  return result ?? { applied: 0, refused: 0 }
}

type InTransaction = <Result>(batch: (tx: Tx) => Promise<Result>) => Promise<Result>

async function applyLines(options: ImportOptions, inTransaction: InTransaction): Promise<ImportResult> {
  const result: ImportResult = { applied: 0, refused: 0 }
  const digest = createHash('sha256')

  const refuse = (refusal: Refusal) => {
    result.refused += 1
    options.onRefused(refusal)
  }

  let batch: Line[] = []
  const flush = async () => {
    if (batch.length > 0) result.applied += await applyBatch(batch, options, inTransaction, refuse)
    batch = []
  }

  for await (const line of importLines(digested(options.input, digest))) {
    if ('reason' in line) {
      refuse(line)
      continue
    }
    const sameType = batch[0] === undefined || batch[0].record.type === line.record.type
    if (!sameType || batch.length >= batchSize) await flush()
    batch.push(line)
    options.onProgress?.(line.number)
  }
  await flush()

  await inTransaction((tx) =>
    recordImport(tx, {
      action: 'import.applied',
      target: options.fileName,
      details: { ...result, sha256: digest.digest('hex') },
      now: options.now,
    }),
  )
  return result
}

async function* digested(input: Readable, digest: Hash): AsyncGenerator<Uint8Array | string> {
  for await (const chunk of input) {
    digest.update(chunk)
    yield chunk
  }
}

/** Answers how many lines were applied. A batch that fails as a whole is tried line by line, to find the one to blame. */
async function applyBatch(
  batch: Line[],
  options: ImportOptions,
  inTransaction: InTransaction,
  refuse: (refusal: Refusal) => void,
): Promise<number> {
  const refusals: Refusal[] = []
  try {
    await inTransaction((tx) =>
      importerOf(batch).write(tx, batch, {
        now: options.now,
        folder: options.folder,
        invoiceHosts: options.invoiceHosts ?? [],
        refuse: (line, field, reason) => refusals.push({ line: line.number, field, reason }),
      }),
    )
    for (const refusal of refusals) refuse(refusal)
    return batch.length - refusals.length
  } catch (error) {
    const [line] = batch
    if (batch.length === 1 && line) {
      refuse({ line: line.number, field: '', reason: reasonOf(error) })
      return 0
    }
    let applied = 0
    for (const single of batch) applied += await applyBatch([single], options, inTransaction, refuse)
    return applied
  }
}

function importerOf(batch: readonly Line[]) {
  const importer = importers.find(({ type }) => type === batch[0]?.record.type)
  if (!importer) throw new Error('no importer for this type')
  return importer
}

/** The database's own words, or those of a value that cannot be written; only connection trouble stops the whole import. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof RangeError) return cause.message
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string' || !/^2[23]/.test(cause.code)) {
    throw error
  }
  return cause.message
}
