import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { newTestDatabase } from './test-database.ts'

/** Started as a process, since apps may not import each other. */
const sandboxProgram = join(import.meta.dirname, '../../../apps/sandbox/src/main.ts')

/** Starts the sandbox with its own database and ports. `publicUrl` and `ssoUrl` are where browsers reach the others. */
export async function startSandboxProgram({
  publicUrl = 'http://localhost:3000',
  ssoUrl = 'http://localhost:3001',
} = {}) {
  const database = await newTestDatabase({ template: 'atrium_test_empty', migrate: async () => undefined })
  const [port, smtpPort] = [await freePort(), await freePort()]
  const child = fork(sandboxProgram, {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      ATRIUM_SANDBOX_PORT: String(port),
      SANDBOX_SMTP_PORT: String(smtpPort),
      PUBLIC_URL: publicUrl,
      SSO_URL: ssoUrl,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await ready(child)

  return {
    port,
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exited
      await database[Symbol.asyncDispose]()
    },
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Error('The sandbox did not start.')))
  })
}

/** A port that is free now. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, 'localhost', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
