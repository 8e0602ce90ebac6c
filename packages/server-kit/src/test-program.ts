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
  const { child, port } = await forkSandbox({ DATABASE_URL: database.url, PUBLIC_URL: publicUrl, SSO_URL: ssoUrl })

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

/** How often it is started: somebody else may take a port between the look for one and its use. */
const mostStarts = 3

async function forkSandbox(env: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; port: number }> {
  for (let start = 1; ; start += 1) {
    const [port, smtpPort] = [await freePort(), await freePort()]
    const ports = { ATRIUM_SANDBOX_PORT: String(port), SANDBOX_SMTP_PORT: String(smtpPort) }
    const child = fork(sandboxProgram, {
      env: { ...process.env, ...env, ...ports, LOG_LEVEL: 'error' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    try {
      await ready(child)
      return { child, port }
    } catch (error) {
      if (start === mostStarts) throw error
    }
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
