import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { folioRecords } from '../../demo/folio.ts'
import { projectFolder } from './data-directory.ts'

/** One password for everybody in the demo; it guards nothing real. */
export const demoPassword = 'Atrium-demo-1'

const fileName = 'folio.ndjson'

/** Loads the demo vendor once a database, as a vendor loads theirs: through the importer. */
export async function loadDemoVendor(directory: string, databaseUrl: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (await isLoaded(databaseUrl)) return

  const file = join(directory, fileName)
  const lines = Readable.from(folioRecords(new Date())).map((entry) => `${JSON.stringify(entry)}\n`)
  await pipeline(lines, createWriteStream(file))

  const run = promisify(execFile)
  const accounts = join(projectFolder, 'apps/sso/src/accounts-command.ts')
  const imports = join(projectFolder, 'apps/account-server/src/features/imports/import-command.ts')
  await run(process.execPath, [accounts, '--file', file, '--password-from', 'ATRIUM_DEMO_PASSWORD'], {
    env: { ...env, ATRIUM_DEMO_PASSWORD: demoPassword },
  })
  // Last: its activity row is how the next start knows that everything is there.
  await run(process.execPath, [imports, file], { env })
}

async function isLoaded(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      "select 1 from account.activity where action = 'import.applied' and target = $1 limit 1",
      [fileName],
    )
    return rowCount !== 0
  } finally {
    await client.end()
  }
}
