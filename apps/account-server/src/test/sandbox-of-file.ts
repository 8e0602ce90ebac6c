import { afterAll, afterEach, vi } from 'vitest'
import { type Sandbox, startSandbox } from './sandbox.ts'

/** The card provider's sandbox for all tests of a file: what one of them mocks, or makes fail, is as usual in the next. */
export async function sandboxOfFile(): Promise<Sandbox> {
  const sandbox = await startSandbox()
  afterEach(async () => {
    vi.restoreAllMocks()
    await sandbox.behave()
  })
  afterAll(() => sandbox[Symbol.asyncDispose]())
  return sandbox
}
