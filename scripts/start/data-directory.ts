import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { isAlive } from '../postgres/orphan.ts'
import { canEnter, postgresUser } from '../postgres/run-as.ts'

export const projectFolder = resolve(import.meta.dirname, '../..')

/** `.data` beside the code; where PostgreSQL's user cannot reach that (root, a closed home), a folder of this clone's in /var/lib. */
export async function dataDirectory(wanted: string | undefined): Promise<string> {
  if (wanted) return resolve(wanted)

  const beside = join(projectFolder, '.data')
  if (await canEnter(projectFolder, await postgresUser(beside))) return beside
  const clone = createHash('sha256').update(projectFolder).digest('hex').slice(0, 8)
  return join('/var/lib/atrium', `${basename(projectFolder)}-${clone}`)
}

/**
 * Holds the directory for one start at a time. Answers how to let go of it.
 * The lock is a folder with the holder's mark in it, put in place whole: a rename takes the place of an empty folder and
 * never of one with a mark. A mark left behind is removed by its name, so nobody removes another's by being late.
 */
export async function holdDirectory(directory: string): Promise<() => Promise<void>> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o755 })
    return await hold(directory)
  } catch (error) {
    if (!isCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST')) throw error
    throw new Error(
      `The data directory ${directory} cannot be written (${error.code}). Set ATRIUM_DATA_DIR to a folder of your own.`,
    )
  }
}

async function hold(directory: string): Promise<() => Promise<void>> {
  const lock = join(directory, 'start.lock')
  const mark = `${process.pid}-${await startedAt(process.pid)}`
  const ours = await mkdtemp(`${lock}.`)

  try {
    await writeFile(join(ours, mark), '')
    while (!(await tookPlace(ours, lock))) await removeLeftMarks(lock, directory)
  } finally {
    await rm(ours, { recursive: true, force: true })
  }

  return async () => {
    await rm(join(lock, mark), { force: true })
    // Left alone when the next start has it already.
    await rmdir(lock).catch(() => undefined)
  }
}

async function tookPlace(ours: string, lock: string): Promise<boolean> {
  try {
    await rename(ours, lock)
    return true
  } catch (error) {
    if (isCode(error, 'ENOTEMPTY', 'EEXIST')) return false
    throw error
  }
}

/** Removes what starts that were killed have left in the lock; throws when one still runs. */
async function removeLeftMarks(lock: string, directory: string): Promise<void> {
  const marks = await readdir(lock).catch((error) => {
    // Let go of in the meantime.
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

/** The process that left a mark, and not another one that got its number later. */
async function isRunning(mark: string): Promise<boolean> {
  const [number = '', started = ''] = mark.split('-')
  const pid = Number(number)
  // 0 and below are whole groups of processes to the kernel; 1 is ours in a container.
  return Number.isInteger(pid) && pid > 0 && isAlive(pid) && (await startedAt(pid)) === started
}

/** When a process started, in the kernel's ticks; empty where there is no /proc. */
async function startedAt(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // After the name in parentheses, which may hold spaces: the start time is field 22.
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
