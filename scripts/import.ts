import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataDirectory, projectFolder } from './start/data-directory.ts'
import { loadEnvironmentFile } from './start/stack.ts'

/** `npm run import -- FILE`: into DATABASE_URL or, without one, into the database of the `npm start` that runs here. */
loadEnvironmentFile()
const databaseUrl = process.env.DATABASE_URL || (await runningDatabase())
if (!databaseUrl) {
  process.stderr.write('Set DATABASE_URL, or run npm start beside this: there is no database to import into.\n')
  process.exit(2)
}

const command = join(projectFolder, 'apps/account-server/src/features/imports/import-command.ts')
const env = { ...process.env, DATABASE_URL: databaseUrl }
const child = spawn(process.execPath, [command, ...process.argv.slice(2)], { stdio: 'inherit', env })
child.once('exit', (code) => process.exit(code ?? 1))

/** PostgreSQL itself notes its port, in the fourth line of its lock file. */
async function runningDatabase(): Promise<string | undefined> {
  const directory = await dataDirectory(process.env.ATRIUM_DATA_DIR)
  const [lock, password] = await Promise.all(
    ['postgresql/postmaster.pid', 'postgresql.password'].map((name) =>
      readFile(join(directory, name), 'utf8').catch(() => ''),
    ),
  )
  const port = lock?.split('\n')[3]?.trim()
  return port ? `postgres://atrium:${password?.trim()}@127.0.0.1:${port}/atrium` : undefined
}
