import { Readable } from 'node:stream'
import type { Remark } from '@atrium/server-kit/record-lines.ts'
import { type ImportResult, importFile } from '../features/imports/import-file.ts'
import type { newWorld } from './world.ts'

interface Loaded extends ImportResult {
  /** `2 email no member has this e-mail address` */
  refusals: string[]
  warned: string[]
}

/** Imports a file of these records, like the command. */
export async function load(
  { db }: Pick<Awaited<ReturnType<typeof newWorld>>, 'db'>,
  records: readonly object[],
  { erasureSecret }: { erasureSecret?: string } = {},
): Promise<Loaded> {
  const refusals: string[] = []
  const warned: string[] = []
  const said = ({ line, field, reason }: Remark) => `${line} ${field} ${reason}`
  const result = await importFile(db, {
    input: Readable.from([Buffer.from(records.map((record) => JSON.stringify(record)).join('\n'))]),
    fileName: 'test.ndjson',
    now: new Date('2026-06-01T00:00:00Z'),
    dryRun: false,
    erasureSecret,
    onRefused: (refusal) => refusals.push(said(refusal)),
    onWarning: (warning) => warned.push(said(warning)),
  })
  return { ...result, refusals, warned }
}
