import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for a database that goes away afterwards, below ATRIUM_DATA_DIR where that is set; its user can enter it. */
export async function newTemporaryFolder(purpose: string): Promise<string> {
  const parent = process.env.ATRIUM_DATA_DIR ?? tmpdir()
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, `atrium-${purpose}-`))
  await chmod(folder, 0o755)
  return folder
}
