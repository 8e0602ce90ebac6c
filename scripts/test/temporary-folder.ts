import { type ChildProcess, fork } from 'node:child_process'
import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A temporary folder that PostgreSQL's user can enter, below ATRIUM_DATA_DIR if that is set. What is left of it when this process has ended,
 * however it does, is removed, and a database in it is stopped.
 */
export async function newTemporaryFolder(purpose: string): Promise<string> {
  const parent = process.env.ATRIUM_DATA_DIR ?? tmpdir()
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, `atrium-${purpose}-`))
  await chmod(folder, 0o755)
  keeper ??= startKeeper()
  keeper.send(folder)
  return folder
}

let keeper: ChildProcess | undefined

/** In a process group of its own, so that Ctrl-C does not reach it. */
function startKeeper(): ChildProcess {
  const child = fork(join(import.meta.dirname, 'folder-keeper.ts'), { detached: true, stdio: 'ignore', execArgv: [] })
  child.unref()
  child.channel?.unref()
  return child
}
