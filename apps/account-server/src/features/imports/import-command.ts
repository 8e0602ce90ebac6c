import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '@atrium/server-kit/config.ts'
import { openPatientDatabase } from '@atrium/server-kit/database.ts'
import { SingleBar } from 'cli-progress'
import { ImportSettings } from '../../config.ts'
import { importFile } from './import-file.ts'

/** `npm run import -- FILE [--dry-run]`: exit 0 when every line was applied, 1 when lines were refused, 2 for no file. */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
})
const [path] = positionals
const size = path ? (await stat(path).catch(() => undefined))?.size : undefined

if (!path || size === undefined) {
  process.stderr.write(path ? `There is no file ${path}.\n` : 'Usage: npm run import -- FILE [--dry-run]\n')
  process.exit(2)
}

const { DATABASE_URL, INVOICE_HOSTS } = readConfig(ImportSettings, process.env)
const db = openPatientDatabase({ url: DATABASE_URL, applicationName: 'atrium-import' })
const bar = new SingleBar({ format: '{bar} {percentage}% · {lines} lines', clearOnComplete: true, noTTYOutput: false })
const input = createReadStream(path)
const startedAt = performance.now()

bar.start(size, 0, { lines: 0 })
const { applied, refused } = await importFile(db, {
  input,
  fileName: basename(path),
  folder: dirname(resolve(path)),
  invoiceHosts: INVOICE_HOSTS,
  now: new Date(),
  dryRun: values['dry-run'],
  onRefused: ({ line, field, reason }) => process.stderr.write(`line ${line}${field && `, ${field}`}: ${reason}\n`),
  onProgress: (lines) => bar.update(input.bytesRead, { lines }),
})
bar.stop()
await db.$client.end()

const seconds = (performance.now() - startedAt) / 1000
const verb = values['dry-run'] ? 'would be applied' : 'applied'
process.stdout.write(`${applied} lines ${verb}, ${refused} refused, ${Math.round(applied / seconds)} a second\n`)
process.exit(refused > 0 ? 1 : 0)
