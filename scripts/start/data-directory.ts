import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { isAlive } from '../postgres/orphan.ts'
import { canEnter, postgresUser } from '../postgres/run-as.ts'

export const projectFolder = resolve(import.meta.dirname, '../..')

/** `.data` in the project folder; if PostgreSQL's user cannot enter that (root, a private home), a folder for this clone in /var/lib. */
export async function dataDirectory(wanted: string | undefined): Promise<string> {
  if (wanted) return resolve(wanted)

  const beside = join(projectFolder, '.data')
  if (await canEnter(projectFolder, await postgresUser(beside))) return beside
  const clone = createHash('sha256').update(projectFolder).digest('hex').slice(0, 8)
  return join('/var/lib/atrium', `${basename(projectFolder)}-${clone}`)
}

/**
 * Locks the directory for one start at a time. @returns a function that releases the lock
 *
 * The lock is a folder that contains a file named after its process. It is renamed into place, which succeeds over an empty
 * folder and fails over one with a file. A stale file is removed by its name, so a slow start cannot remove a newer one.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o755 })
    return await lock(directory)
  } catch (error) {
    if (!isCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST')) throw error
    throw new Error(
      `The data directory ${directory} cannot be written (${error.code}). Set ATRIUM_DATA_DIR to a folder of your own.`,
    )
  }
}

async function lock(directory: string): Promise<() => Promise<void>> {
  const lock = join(directory, 'start.lock')
  const mark = `${process.pid}-${await startedAt(process.pid)}`
  const ours = await mkdtemp(`${lock}.`)

  try {
    await writeFile(join(ours, mark), '')
    while (!(await renamedInto(ours, lock))) await removeStaleMarks(lock, directory)
  } finally {
    await rm(ours, { recursive: true, force: true })
  }

  return async () => {
    await rm(join(lock, mark), { force: true })
    // Fails if the next start already has the lock.
    await rmdir(lock).catch(() => undefined)
  }
}

async function renamedInto(ours: string, lock: string): Promise<boolean> {
  try {
    await rename(ours, lock)
    return true
  } catch (error) {
    if (isCode(error, 'ENOTEMPTY', 'EEXIST')) return false
    throw error
  }
}

/** Removes the files of killed starts from the lock. @throws Error if one still runs */
async function removeStaleMarks(lock: string, directory: string): Promise<void> {
  const marks = await readdir(lock).catch((error) => {
    // Released in the meantime.
    if (isCode(error, 'ENOENT')) return []
    throw error
  })
  for (const mark of marks) {
    if (await isRunning(mark)) {
      throw new Error(
        `Atrium already runs on ${directory} (process ${mark.split('-')[0]}). Stop it first, or set ATRIUM_DATA_DIR to another folder.`,
      )
    }
    await rm(join(lock, mark), { recursive: true, force: true })
  }
}

function isCode(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Whether the process of a mark still runs. A process that got its pid later has another start time. */
async function isRunning(mark: string): Promise<boolean> {
  const [number = '', started = ''] = mark.split('-')
  const pid = Number(number)
  // The kernel takes 0 and negative numbers as process groups; in a container, 1 is our own process.
  return Number.isInteger(pid) && pid > 0 && isAlive(pid) && (await startedAt(pid)) === started
}

/** When a process started, in kernel ticks; empty without /proc. */
async function startedAt(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The start time is field 22. Fields are counted after the name in parentheses, which may contain spaces.
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
