import { createHash, type Hash } from 'node:crypto'
import { ImportRecord } from '@atrium/contract/imports.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { type Remark, recordLines } from '@atrium/server-kit/record-lines.ts'
import type { Line } from '../../db/importer.ts'
import { recordImport } from '../activity/activity.writes.ts'
import { erasedLines } from './erased-lines.ts'
import { batchesOf } from './import-batches.ts'
import { importers } from './importers.ts'

interface ImportOptions {
  input: AsyncIterable<Uint8Array | string>
  /** For the activity row. */
  fileName: string
  /** The only folder in which files named by lines are looked up. */
  folder?: string
  /** Hosts from which invoices may be fetched (`INVOICE_HOSTS`). */
  invoiceHosts?: readonly string[]
  /** `ERASURE_SECRET`; needed once an address was erased. */
  erasureSecret?: string | undefined
  now: Date
  /** Checks everything against the database without changing it. */
  dryRun: boolean
  onRefused(refusal: Remark): void
  /** For a line that is applied but questionable. */
  onWarning?(warning: Remark): void
  /** After each batch, with the number of the last completed line. */
  onProgress?(line: number): void
}

export interface ImportResult {
  applied: number
  refused: number
  warnings: number
  /** Lines about erased people, which are skipped. */
  erased: number
}

/**
 * Applies a file in batches: refused lines are reported, the others stay applied.
 * @throws ConfigError if addresses were erased under a secret that is not given
 */
export async function importFile(db: Db, options: ImportOptions): Promise<ImportResult> {
  if (!options.dryRun) return applyLines(options, (batch) => db.transaction((tx) => batch(tx)))

  const whole = Symbol('dry run')
  let result: ImportResult | undefined
  await db
    .transaction(async (tx) => {
      // A line may depend on an earlier one, so a dry run uses one transaction, which is rolled back.
      result = await applyLines(options, (batch) => tx.transaction((inner) => batch(inner)))
      throw whole
    })
    .catch((thrown) => {
      if (thrown !== whole) throw thrown
    })
  return result ?? nothing
}

const nothing: ImportResult = { applied: 0, refused: 0, warnings: 0, erased: 0 }

type InTransaction = <Result>(batch: (tx: Tx) => Promise<Result>) => Promise<Result>

async function applyLines(options: ImportOptions, inTransaction: InTransaction): Promise<ImportResult> {
  const result: ImportResult = { ...nothing }
  const digest = createHash('sha256')

  const report = ({ applied, refusals, warnings, erased }: Outcome) => {
    result.applied += applied
    result.erased += erased
    result.refused += refusals.length
    result.warnings += warnings.length
    for (const refusal of refusals) options.onRefused(refusal)
    for (const warning of warnings) options.onWarning?.(warning)
  }

  for await (const { lines, unreadable, last } of batchesOf(
    recordLines(digested(options.input, digest), ImportRecord),
  )) {
    const outcome = lines.length > 0 ? await applyBatch(lines, options, inTransaction) : nothingApplied
    report({ ...outcome, refusals: inOrder([...unreadable, ...outcome.refusals]) })
    options.onProgress?.(last)
  }

  await inTransaction((tx) =>
    recordImport(tx, {
      target: options.fileName,
      details: { ...result, sha256: digest.digest('hex') },
      now: options.now,
    }),
  )
  return result
}

async function* digested(input: ImportOptions['input'], digest: Hash): AsyncGenerator<Uint8Array | string> {
  for await (const chunk of input) {
    digest.update(chunk)
    yield chunk
  }
}

function inOrder(remarks: readonly Remark[]): Remark[] {
  return remarks.toSorted((one, other) => one.line - other.line)
}

interface Outcome {
  applied: number
  refusals: readonly Remark[]
  warnings: readonly Remark[]
  erased: number
}

const nothingApplied: Outcome = { applied: 0, refusals: [], warnings: [], erased: 0 }

/** If a batch fails as a whole, applies it line by line to find the invalid one. */
async function applyBatch(
  batch: readonly Line[],
  options: ImportOptions,
  inTransaction: InTransaction,
): Promise<Outcome> {
  try {
    return await inTransaction((tx) => write(tx, batch, options))
  } catch (error) {
    const [line] = batch
    if (batch.length === 1 && line) {
      return { ...nothingApplied, refusals: [{ line: line.number, field: '', reason: reasonOf(error) }] }
    }
    const outcomes: Outcome[] = []
    for (const single of batch) outcomes.push(await applyBatch([single], options, inTransaction))
    return {
      applied: outcomes.reduce((sum, { applied }) => sum + applied, 0),
      refusals: outcomes.flatMap(({ refusals }) => refusals),
      warnings: outcomes.flatMap(({ warnings }) => warnings),
      erased: outcomes.reduce((sum, { erased }) => sum + erased, 0),
    }
  }
}

async function write(tx: Tx, all: readonly Line[], { now, folder, invoiceHosts = [], erasureSecret }: ImportOptions) {
  const skipped = await erasedLines(tx, all, erasureSecret)
  const batch = all.filter(({ number }) => !skipped.has(number))
  const refused = new Map<number, Remark>()
  const odd: Remark[] = []
  for (const { write } of importersOf(batch)) {
    await write(
      tx,
      batch.filter(({ number }) => !refused.has(number)),
      {
        now,
        folder,
        invoiceHosts,
        refuse: ({ number: line }, field, reason) => refused.set(line, { line, field, reason }),
        warn: ({ number: line }, field, reason) => odd.push({ line, field, reason }),
      },
    )
  }
  const warnings = odd.filter(({ line }) => !refused.has(line))
  return { applied: batch.length - refused.size, refusals: [...refused.values()], warnings, erased: skipped.size }
}

function importersOf(batch: readonly Line[]) {
  return importers.filter(({ type }) => type === batch[0]?.record.type)
}

/** Why a value cannot be written. A connection failure is not the line's fault, and ends the import. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof RangeError) return 'has a value out of range'
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code.startsWith('22')) return 'has a value that the database cannot store'
  if (code === '23505') return 'has a number or name that another record has'
  if (code.startsWith('23')) return 'does not fit the records that are there'
  throw error
}
