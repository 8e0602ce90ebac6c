import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectFolder } from '../../scripts/start/data-directory.ts'

/** Imports records with the importer, as a vendor does. */
export async function importRecords(name: string, records: readonly object[]): Promise<void> {
  const file = join(process.env.ATRIUM_E2E_DIRECTORY ?? '', `${name}.ndjson`)
  await writeFile(file, records.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  const command = join(projectFolder, 'apps/account-server/src/features/imports/import-command.ts')
  await promisify(execFile)(process.execPath, [command, file], {
    env: { ...process.env, DATABASE_URL: process.env.ATRIUM_E2E_DATABASE },
  })
}
