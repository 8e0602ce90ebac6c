import { sandboxOfWorker } from '@atrium/server-kit/test-program.ts'
import { afterEach, vi } from 'vitest'
import { type Sandbox, sandboxAt } from './sandbox.ts'

/** An empty sandbox for all tests of a file: what one of them mocks, or makes fail, is as usual in the next. */
export async function sandboxOfFile(): Promise<Sandbox> {
  const sandbox = sandboxAt(await sandboxOfWorker())
  afterEach(async () => {
    vi.restoreAllMocks()
    await sandbox.behave()
  })
  return sandbox
}
