import { type ChildProcess, fork } from 'node:child_process'
import { chmod, mkdir, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A temporary folder that PostgreSQL's user can enter, below ATRIUM_DATA_DIR if that is set, else in memory where there is enough of it. What
 * is left of it when this process has ended, however it does, is removed, and a database in it is stopped.
 * @param isOnDisk whether it must not be in memory, as for measurements
 */
export async function newTemporaryFolder(purpose: string, { isOnDisk = false } = {}): Promise<string> {
  const parent = process.env.ATRIUM_DATA_DIR ?? (isOnDisk ? tmpdir() : await quickestParent())
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, `atrium-${purpose}-`))
  await chmod(folder, 0o755)
  keeper ??= startKeeper()
  keeper.send(folder)
  return folder
}

/** Linux has a folder whose files are in memory. */
const memory = '/dev/shm'

/** The databases of a run take some hundred megabytes of it; the rest is for programs and browsers. */
const enoughBytes = 6 * 1024 ** 3

/**
 * A database is hundreds of files, and each test file has one. For each new file, ext4 looks at all that were deleted in the last half
 * minute: a database takes ten times as long there as in memory.
 */
async function quickestParent(): Promise<string> {
  const freeBytes = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return Math.min(freeBytes, process.availableMemory()) >= enoughBytes ? memory : tmpdir()
}

let keeper: ChildProcess | undefined

/** In a process group of its own, so that Ctrl-C does not reach it. */
function startKeeper(): ChildProcess {
  const child = fork(join(import.meta.dirname, 'folder-keeper.ts'), { detached: true, stdio: 'ignore', execArgv: [] })
  child.unref()
  child.channel?.unref()
  return child
}
