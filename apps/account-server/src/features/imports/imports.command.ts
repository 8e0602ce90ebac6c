import { createReadStream } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type ExitCode,
  exitCodes,
  type OperatorCommand,
  refuseWithoutDatabase,
  runOnDatabase,
  type Surroundings,
} from '@atrium/server-kit/command.ts'
import { readConfig } from '@atrium/server-kit/config.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { recordBytes, recordFile } from '@atrium/server-kit/record-file.ts'
import { remarkSentence } from '@atrium/server-kit/record-lines.ts'
import { UsageError } from '@atrium/server-kit/usage-error.ts'
import { SingleBar } from 'cli-progress'
import { ImportSettings } from '../../config.ts'
import { businessTime } from '../../db/business-clock.queries.ts'
import { migrations } from '../../db/migrations.ts'
import { importFile } from './import-file.ts'

const usage = 'Usage: npm run import -- FILE [--dry-run]'

const about = `FILE has a record a line (NDJSON); docs/imports.md has the format. It goes into the database of DATABASE_URL, or of
the npm start that runs beside this. --dry-run checks everything, and changes nothing.

Exit codes: 0 everything is applied; 1 some lines are refused, the others applied; 2 the arguments, the file or a setting
is wrong; 3 the database; 4 a fault of Atrium.`

const outcomeUnknown =
  'The connection to the database was lost, and it is not known whether the last lines are applied.'

interface Arguments {
  path: string
  size: number
  dryRun: boolean
}

export const importCommand: OperatorCommand = { usage, about, options: ['dry-run'], main }

async function main(given: string[], { env, ...output }: Surroundings): Promise<ExitCode> {
  const file = await readArguments(given)
  refuseWithoutDatabase(env)
  const {
    DATABASE_URL: url,
    INVOICE_HOSTS: invoiceHosts,
    ERASURE_SECRET: erasureSecret,
    ...clock
  } = readConfig(ImportSettings, env)

  const progress: Progress = { line: undefined }
  const sentenceOf = (trouble = outcomeUnknown) => `${trouble}${restartAdvice(progress, file)}`
  return runOnDatabase({ url, applicationName: 'atrium-import', migrations, sentenceOf }, async (db) => {
    const now = (await businessTime(db, clock))()
    return run(db, { ...file, invoiceHosts, erasureSecret, progress, now }, output)
  })
}

async function readArguments(given: string[]): Promise<Arguments> {
  const { positionals, values } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  })
  const [path, ...others] = positionals
  if (!path || others.length > 0) throw new UsageError(usage)
  return { path, dryRun: values['dry-run'], ...(await recordFile(path)) }
}

interface Progress {
  /** Number of the last line that is done with; undefined until the file is opened. */
  line: number | undefined
}

interface Run extends Arguments {
  invoiceHosts: readonly string[]
  erasureSecret: string | undefined
  progress: Progress
  now: Date
}

async function run(
  db: Db,
  { path, size, dryRun, invoiceHosts, erasureSecret, progress, now }: Run,
  { print, printError }: Omit<Surroundings, 'env'>,
): Promise<ExitCode> {
  const bar = new SingleBar({
    format: '{bar} {percentage}% · {lines} lines',
    clearOnComplete: true,
    noTTYOutput: false,
  })
  const input = createReadStream(path)
  const startedAt = performance.now()

  progress.line = 0
  bar.start(size, 0, { lines: 0 })
  const { applied, refused, warnings, erased } = await importFile(db, {
    input: recordBytes(path, input),
    fileName: basename(path),
    folder: dirname(resolve(path)),
    invoiceHosts,
    erasureSecret,
    now,
    dryRun,
    onRefused: (refusal) => printError(remarkSentence(refusal)),
    onWarning: (warning) => printError(`warning: ${remarkSentence(warning)}`),
    onProgress(line) {
      progress.line = line
      bar.update(input.bytesRead, { lines: line })
    },
  }).finally(() => bar.stop())

  const seconds = (performance.now() - startedAt) / 1000
  const verb = dryRun ? 'would be applied' : 'applied'
  const counts = `${applied} lines ${verb}, ${refused} refused, ${warnings} warnings`
  print(`${counts}, ${Math.round(applied / seconds)} a second`)
  if (erased > 0) print(`${erased} lines skipped: they are about people whose data was erased`)
  return refused > 0 ? exitCodes.refused : exitCodes.done
}

/** Lines of a batch that failed may be applied although the batch is not done with. */
function restartAdvice({ line }: Progress, { dryRun }: Arguments): string {
  if (dryRun) return ' Nothing was changed.'
  if (line === undefined) return ' Nothing was applied.'
  const done = line === 0 ? '' : ` Everything up to line ${line} is done.`
  return `${done} Run the same file again: what is applied already changes nothing.`
}
