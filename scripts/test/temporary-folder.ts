import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder that PostgreSQL's user can enter, below ATRIUM_DATA_DIR if that is set. */
export async function newTemporaryFolder(purpose: string): Promise<string> {
  const parent = process.env.ATRIUM_DATA_DIR ?? tmpdir()
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, `atrium-${purpose}-`))
  await chmod(folder, 0o755)
  return folder
}
