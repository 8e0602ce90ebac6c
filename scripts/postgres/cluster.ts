import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from '../run-command.ts'
import { installedMajorVersion } from './binaries.ts'
import type { RunAs } from './run-as.ts'

interface ClusterOptions {
  /** Contains the cluster and the file with its password. */
  directory: string
  cluster: string
  binaries: string
  user: RunAs | undefined
  signal: AbortSignal | undefined
}

/** PostgreSQL's builtin collation, the same on every machine. */
const utf8Everywhere = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

/** Returns the password of the cluster, which the first start creates. A cluster that Atrium did not create is refused, unchanged. */
export async function clusterPassword(options: ClusterOptions): Promise<string> {
  const { directory, cluster } = options
  const passwordFile = join(directory, 'postgresql.password')
  if (await isFree(cluster)) return newCluster(options, passwordFile)

  const [made, password] = await Promise.all(
    [join(cluster, 'PG_VERSION'), passwordFile].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  if (!made || !password) {
    throw new Error(`${cluster} was not made by Atrium. Nothing was changed: set ATRIUM_DATA_DIR to another folder.`)
  }
  const ours = installedMajorVersion()
  if (made.trim() !== ours) {
    throw new Error(
      `The data in ${cluster} was written by PostgreSQL ${made.trim()}, and this is PostgreSQL ${ours}. Nothing was changed: move it with pg_dump and pg_restore, or set ATRIUM_DATA_DIR to another folder.`,
    )
  }
  return password.trim()
}

async function isFree(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch((error) => (error.code === 'ENOENT' ? [] : ['not ours to read']))
  return entries.length === 0
}

/** The cluster gets its name only when it is complete, so that an incomplete one is never used. */
async function newCluster({ directory, cluster, binaries, user, signal }: ClusterOptions, passwordFile: string) {
  const half = `${cluster}.new`
  const password = randomBytes(24).toString('base64url')
  await rm(half, { recursive: true, force: true })
  await mkdir(half, { mode: 0o700 })
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user) {
    await chown(half, user.uid, user.gid)
    await chown(passwordFile, user.uid, user.gid)
  }
  const initdb = [
    `--pgdata=${half}`,
    '--username=atrium',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...utf8Everywhere,
  ]
  try {
    await runCommand(join(binaries, 'initdb'), initdb, { ...user, cwd: directory, signal })
  } catch (error) {
    await rm(half, { recursive: true, force: true })
    throw error
  }
  await rename(half, cluster)
  return password
}
