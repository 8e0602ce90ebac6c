import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, rm, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const stopTimeoutMs = 30_000

/**
 * Stops the database that a killed `npm start` left running, or removes the lock file of one that has exited. The
 * database is recognized by its binary and its directory; a lock file that names any other process is stale.
 */
export async function stopOrphan(cluster: string, signal?: AbortSignal): Promise<void> {
  const lockFile = lockFileOf(cluster)
  const text = await readFile(lockFile, 'utf8').catch(() => undefined)
  if (text === undefined) return

  const [pidLine = ''] = text.split('\n')
  if (!/^[1-9]\d*$/.test(pidLine)) {
    // A database may still be running. Without its lock file, a second one could open the same data.
    throw new Error(`${lockFile} does not name a process. ${advice}`)
  }
  const pid = Number(pidLine)
  if (!(await isPostmasterOf(pid, cluster))) {
    await rm(lockFile, { force: true })
    return
  }

  // SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, the rest is written out.
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + stopTimeoutMs
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
  // After a reinstallation, the kernel marks the running binary as deleted.
  return basename(binary ?? '').replace(/ \(deleted\)$/, '') === 'postgres' && isSameFolder(folder ?? '', cluster)
}

/**
 * Reads a link of a process in /proc; empty for a process that has exited, reaped or not.
 * @throws Error if the link cannot be read, as by root in a container, and the process may be this PostgreSQL
 */
async function linkOf(pid: number, name: string, cluster: string): Promise<string> {
  try {
    return await readlink(`/proc/${pid}/${name}`)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')
    if (isGone || (await isCertainlyAnother(pid, cluster))) return ''
    throw new Error(`${lockFileOf(cluster)} names the process ${pid}, which cannot be inspected. ${advice}`)
  }
}

/** PostgreSQL always runs as the owner of its data; a zombie does not run. */
async function isCertainlyAnother(pid: number, cluster: string): Promise<boolean> {
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

/** The kernel and PostgreSQL report resolved paths; ours may contain a symbolic link. */
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
