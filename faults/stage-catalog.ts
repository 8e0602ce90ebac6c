import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { productRecords } from '../demo/folio/products.ts'
import { projectFolder } from '../scripts/start/data-directory.ts'
import { newTemporaryFolder } from '../scripts/test/temporary-folder.ts'

const features = join(projectFolder, 'apps/account-server/src/features')

/** Puts the demo's catalog on sale at the providers, by the vendor's own commands. @param env of the programs */
export async function sellCatalog(env: NodeJS.ProcessEnv): Promise<void> {
  await importRecords(env, [...productRecords()])
  await run(env, join(features, 'sync/sync-command.ts'), 'catalog')
}

/** Imports records as a vendor does. */
export async function importRecords(env: NodeJS.ProcessEnv, records: readonly object[]): Promise<void> {
  const file = join(await newTemporaryFolder('records'), 'records.ndjson')
  await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  await run(env, join(features, 'imports/import-command.ts'), file)
}

async function run(env: NodeJS.ProcessEnv, ...parameters: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, parameters, { env })
}
