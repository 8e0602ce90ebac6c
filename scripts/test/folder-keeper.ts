import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stopOrphan } from '../postgres/orphan.ts'

/**
 * Runs beside a program with temporary folders, and outlives it by a moment: however that ends, killed too, its databases are stopped and
 * its folders removed.
 */
const folders: string[] = []
process.on('message', (folder) => folders.push(String(folder)))
process.once('disconnect', async () => {
  for (const folder of folders) {
    await stopOrphan(join(folder, 'postgresql')).catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
})
