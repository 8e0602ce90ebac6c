import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAlive } from '../postgres/orphan.ts'
import { masterOf } from './embedded-postgres.ts'

const script = `
  import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, '../postgres/embedded.ts'))}
  import { newTemporaryFolder } from ${JSON.stringify(join(import.meta.dirname, 'temporary-folder.ts'))}
  const directory = await newTemporaryFolder('left')
  await startEmbeddedPostgres({ directory })
  console.log(directory)
  setInterval(() => undefined, 1000)`

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a run that is ended by %s leaves no database and no folder',
  async (signal) => {
    const run = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = await once(run.stdout, 'data')
    const folder = String(printed).trim()
    const master = await masterOf(folder)
    expect(isAlive(master)).toBe(true)

    run.kill(signal)
    await expect.poll(() => isAlive(master)).toBe(false)
    const isThere = () =>
      access(folder).then(
        () => true,
        () => false,
      )
    await expect.poll(isThere).toBe(false)
  },
)
