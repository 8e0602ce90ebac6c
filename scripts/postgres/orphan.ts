import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, rm, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Milliseconds that a database left behind gets to stop. */
const patience = 30_000

/**
 * A start that was killed leaves its database running without a master, or leaves only the lock file of one.
 * The database is recognized by its binary and its directory, and stopped in order; a lock file that names a process which
 * is not the PostgreSQL of this directory is from a machine that went down, and goes.
 */
export async function stopOrphan(cluster: string, signal?: AbortSignal): Promise<void> {
  const lockFile = lockFileOf(cluster)
  const text = await readFile(lockFile, 'utf8').catch(() => undefined)
  if (text === undefined) return

  const [pidLine = ''] = text.split('\n')
  if (!/^[1-9]\d*$/.test(pidLine)) {
    // It may be anybody's: taken away under a running database, a second one could open the same data.
    throw new Error(`${lockFile} does not name a process. ${advice}`)
  }
  const pid = Number(pidLine)
  if (!(await isPostmasterOf(pid, cluster))) {
    await rm(lockFile, { force: true })
    return
  }

  // SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, the rest is written out.
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + patience
  while (await isPostmasterOf(pid, cluster)) {
    signal?.throwIfAborted()
    if (Date.now() > deadline) {
      throw new Error(`A database left behind (process ${pid}) does not stop. Stop it, then start again.`)
    }
    await sleep(100)
  }
}

const advice = 'Make sure that no PostgreSQL runs on this data, remove the file, and start again.'

const lockFileOf = (cluster: string) => join(cluster, 'postmaster.pid')

/** A postmaster runs PostgreSQL's binary, in its data directory. */
async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return isPostmasterByCommand(pid, cluster)

  const [binary, folder] = await Promise.all(['exe', 'cwd'].map((name) => linkOf(pid, name, cluster)))
  // Installed anew meanwhile, its binary is gone from where it was.
  return basename(binary ?? '').replace(/ \(deleted\)$/, '') === 'postgres' && isSameFolder(folder ?? '', cluster)
}

/**
 * Where a link of a process leads, or nothing: one that has ended, or ended and was not reaped yet, has none.
 * @throws Error where it cannot be read, as by root in a container, and the process may be the data's
 */
async function linkOf(pid: number, name: string, cluster: string): Promise<string> {
  try {
    return await readlink(`/proc/${pid}/${name}`)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')
    if (isGone || (await isSurelyAnother(pid, cluster))) return ''
    throw new Error(`${lockFileOf(cluster)} names the process ${pid}, which cannot be looked into. ${advice}`)
  }
}

/** PostgreSQL runs as the owner of its data, or not at all; a process that nobody has reaped yet does not run. */
async function isSurelyAnother(pid: number, cluster: string): Promise<boolean> {
  const [status, owner] = await Promise.all([readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''), stat(cluster)])
  const user = /^Uid:\t(\d+)/m.exec(status)?.[1]
  return (user !== undefined && user !== String(owner.uid)) || /^State:\tZ/m.test(status)
}

/** Where there is no /proc: `embedded.ts` names the data directory on the command line. */
async function isPostmasterByCommand(pid: number, cluster: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  const [, binary = '', folder = ''] = /^(.*?) -D (.*) -p \d/.exec(stdout) ?? []
  return basename(binary) === 'postgres' && isSameFolder(folder, cluster)
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
