import { readFile, readlink, realpath, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds that a database left behind gets to stop. */
const patience = 30_000

/**
 * A start that was killed leaves its database running without a master, or leaves only the lock file of one.
 * The database is recognised by process id and directory, and stopped in order; a lock file that names a process which
 * is no PostgreSQL of this directory is from a machine that went down, and goes.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const lockFile = join(cluster, 'postmaster.pid')
  const text = await readFile(lockFile, 'utf8').catch(() => undefined)
  if (text === undefined) return

  const [pidLine = '', directory = ''] = text.split('\n')
  const pid = Number(pidLine)
  if (!Number.isInteger(pid) || pid < 2 || !(await isSameFolder(directory, cluster))) return

  if (!(await isPostmasterOf(pid, cluster))) {
    await rm(lockFile, { force: true })
    return
  }

  // SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, the rest is written out.
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + patience
  while (await isPostmasterOf(pid, cluster)) {
    if (Date.now() > deadline) {
      throw new Error(`A database left behind (process ${pid}) does not stop. Stop it, then start again.`)
    }
    await sleep(100)
  }
}

/** A postmaster works in its data directory. Where there is no /proc, being alive under that id must do. */
async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true
  const [status, folder] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
  ])
  // A killed process that nobody has reaped yet has no folder any more.
  const state = status.slice(status.lastIndexOf(')') + 2, status.lastIndexOf(')') + 3)
  return state !== 'Z' && (await isSameFolder(folder, cluster))
}

/** The kernel and PostgreSQL name a folder by its own path, we perhaps by one with a symbolic link in it. */
async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((folder) => realpath(folder).catch(() => resolve(folder))))
  return first === second
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
