import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
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

/** Holds the directory for one start at a time. Answers how to let go of it. */
export async function holdDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true, mode: 0o755 })
  const lock = join(directory, 'start.pid')
  const mark = `${process.pid} ${await startedAt(process.pid)}\n`

  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await writeFile(lock, mark, { flag: 'wx' })
      return () => rm(lock, { force: true })
    } catch {
      const holder = await readFile(lock, 'utf8').catch(() => '')
      if (await isRunning(holder)) {
        throw new Error(
          `Atrium already runs on ${directory} (process ${holder.split(' ')[0]}). Stop it first, or set ATRIUM_DATA_DIR to another folder.`,
        )
      }
      // Left by a start that was killed.
      await rm(lock, { force: true })
    }
  }
  throw new Error(`Another Atrium starts on ${directory} at this moment. Try again.`)
}

/** The process that wrote a lock, and not another one that got its number later. */
async function isRunning(mark: string): Promise<boolean> {
  const [pid = '', started = ''] = mark.trim().split(' ')
  return isAlive(Number(pid)) && (await startedAt(Number(pid))) === started
}

/** When a process started, in the kernel's ticks; empty where there is no /proc. */
async function startedAt(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // After the name in parentheses, which may hold spaces: the start time is field 22.
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
