import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The user PostgreSQL runs as; `undefined` for the current one. */
export interface RunAs {
  uid: number
  gid: number
}

/**
 * PostgreSQL refuses to run as root. It then runs as the owner of its data directory, else as `postgres`, else as `nobody`,
 * which every Unix has.
 */
export async function postgresUser(dataDirectory: string): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined

  const owner = await stat(dataDirectory).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }

  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const user = users.find(([userName]) => userName === name)
    if (user) return { uid: Number(user[2]), gid: Number(user[3]) }
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and this machine has no user `postgres` or `nobody` to run it as.',
  )
}

/** Whether the user can enter a folder. A clone under a home of mode 700 is accessible only to its owner. */
export async function canEnter(folder: string, user: RunAs | undefined): Promise<boolean> {
  if (!user) return true
  for (let path = folder; ; path = dirname(path)) {
    const entry = await stat(path).catch(() => undefined)
    if (entry && !mayEnter(entry, user)) return false
    if (path === dirname(path)) return true
  }
}

function mayEnter(entry: { uid: number; gid: number; mode: number }, user: RunAs): boolean {
  if (entry.uid === user.uid) return (entry.mode & 0o100) !== 0
  if (entry.gid === user.gid) return (entry.mode & 0o010) !== 0
  return (entry.mode & 0o001) !== 0
}
