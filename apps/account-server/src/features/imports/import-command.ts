import { createReadStream } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { commandArguments } from '@atrium/server-kit/command-arguments.ts'
import { ConfigError, readConfig } from '@atrium/server-kit/config.ts'
import { type Db, openPatientDatabase } from '@atrium/server-kit/database.ts'
import { CommitOutcomeUnknown } from '@atrium/server-kit/database-failure.ts'
import { databaseSentence } from '@atrium/server-kit/database-sentence.ts'
import { recordBytes, recordFile } from '@atrium/server-kit/record-file.ts'
import type { Remark } from '@atrium/server-kit/record-lines.ts'
import { UsageError } from '@atrium/server-kit/usage-error.ts'
import { SingleBar } from 'cli-progress'
import { ImportSettings } from '../../config.ts'
import { NotMigrated, refuseUnmigrated } from '../../db/migrated.ts'
import { importFile } from './import-file.ts'

/** As `docs/imports.md` has them. */
const exitCodes = { applied: 0, someRefused: 1, usage: 2, database: 3 } as const

const usage = 'Usage: npm run import -- FILE [--dry-run]'

const outcomeUnknown =
  'The connection to the database was lost, and it is not known whether the last lines are applied.'

interface Arguments {
  path: string
  size: number
  dryRun: boolean
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UsageError) && !(error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = exitCodes.usage
}

async function main(): Promise<number> {
  const file = await readArguments()
  const { DATABASE_URL, INVOICE_HOSTS } = readConfig(ImportSettings, process.env)
  const db = openPatientDatabase({ url: DATABASE_URL, applicationName: 'atrium-import' })

  const progress: Progress = { line: undefined }
  try {
    await refuseUnmigrated(db)
    return await run(db, { ...file, invoiceHosts: INVOICE_HOSTS, progress })
  } catch (error) {
    const trouble = troubleOf(error)
    if (!trouble) throw error
    process.stderr.write(`${trouble}${restartAdvice(progress, file)}\n`)
    return exitCodes.database
  } finally {
    await db.$client.end()
  }
}

/** Why the database ended the import; nothing where it was not the database. */
function troubleOf(error: unknown): string | undefined {
  if (error instanceof NotMigrated) return error.message
  return error instanceof CommitOutcomeUnknown ? outcomeUnknown : databaseSentence(error)
}

async function readArguments(): Promise<Arguments> {
  const { path, dryRun } = parsed()
  return { path, dryRun, ...(await recordFile(path)) }
}

function parsed() {
  try {
    const { positionals, values } = parseArgs({
      args: commandArguments(process),
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean', default: false } },
    })
    const [path, ...others] = positionals
    if (path !== undefined && others.length === 0) return { path, dryRun: values['dry-run'] }
  } catch {
    // Said below.
  }
  throw new UsageError(usage)
}

interface Progress {
  /** Number of the last line that is done with; undefined until the file is opened. */
  line: number | undefined
}

interface Run extends Arguments {
  invoiceHosts: readonly string[]
  progress: Progress
}

async function run(db: Db, { path, size, dryRun, invoiceHosts, progress }: Run): Promise<number> {
  const bar = new SingleBar({
    format: '{bar} {percentage}% · {lines} lines',
    clearOnComplete: true,
    noTTYOutput: false,
  })
  const input = createReadStream(path)
  const startedAt = performance.now()

  progress.line = 0
  bar.start(size, 0, { lines: 0 })
  const { applied, refused, warnings } = await importFile(db, {
    input: recordBytes(path, input),
    fileName: basename(path),
    folder: dirname(resolve(path)),
    invoiceHosts,
    now: new Date(),
    dryRun,
    onRefused: (refusal) => process.stderr.write(sentence(refusal)),
    onWarning: (warning) => process.stderr.write(`warning: ${sentence(warning)}`),
    onProgress(line) {
      progress.line = line
      bar.update(input.bytesRead, { lines: line })
    },
  }).finally(() => bar.stop())

  const seconds = (performance.now() - startedAt) / 1000
  const verb = dryRun ? 'would be applied' : 'applied'
  const counts = `${applied} lines ${verb}, ${refused} refused, ${warnings} warnings`
  process.stdout.write(`${counts}, ${Math.round(applied / seconds)} a second\n`)
  return refused > 0 ? exitCodes.someRefused : exitCodes.applied
}

function sentence({ line, field, reason }: Remark): string {
  return `line ${line}${field && `, ${field}`}: ${reason}\n`
}

/** Lines of a batch that failed may be applied although the batch is not done with. */
function restartAdvice({ line }: Progress, { dryRun }: Arguments): string {
  if (dryRun) return ' Nothing was changed.'
  if (line === undefined) return ' Nothing was applied.'
  const done = line === 0 ? '' : ` Everything up to line ${line} is done.`
  return `${done} Run the same file again: what is applied already changes nothing.`
}
