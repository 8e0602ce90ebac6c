import { Readable } from 'node:stream'
import { openBatchDatabase } from '@atrium/server-kit/database.ts'
import { importFile } from '../apps/account-server/src/features/imports/import-file.ts'

const records = 50_000

/** Members imported per second. */
export async function importSpeed(url: string): Promise<number> {
  const db = openBatchDatabase({ url, applicationName: 'bench' })
  const startedAt = performance.now()
  await importFile(db, {
    input: Readable.from(lines()),
    fileName: 'bench.ndjson',
    now: new Date(),
    dryRun: false,
    onRefused: () => undefined,
  })
  const seconds = (performance.now() - startedAt) / 1000
  await db.$client.end()
  return Math.round(records / seconds)
}

function* lines() {
  for (let index = 0; index < records; index += 1) {
    yield `${JSON.stringify({ type: 'member', email: `member-${index}@import.test`, firstName: 'Ada', company: 'Analytical Engines', country: 'GB' })}\n`
  }
}
