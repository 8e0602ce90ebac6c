import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from './database.ts'
import { newTestDatabase } from './test-database.ts'

/** Started as a process, since apps may not import each other. */
const sandbox = join(import.meta.dirname, '../../../apps/sandbox')
const sandboxProgram = join(sandbox, 'src/main.ts')

/** Starts the sandbox with its own database and ports. `publicUrl` and `ssoUrl` are where browsers reach the others. */
export async function startSandboxProgram({
  publicUrl = 'http://localhost:3000',
  ssoUrl = 'http://localhost:3001',
} = {}) {
  const database = await newTestDatabase({
    template: 'atrium_test_sandbox',
    migrate: (url) => migrate(url, join(sandbox, 'migrations'), 'sandbox'),
  })
  const { child, port } = await forkSandbox({ DATABASE_URL: database.url, PUBLIC_URL: publicUrl, SSO_URL: ssoUrl })

  return {
    port,
    url: `http://localhost:${port}`,
    databaseUrl: database.url,
    async [Symbol.asyncDispose]() {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exited
      await database[Symbol.asyncDispose]()
    },
  }
}

let ofWorker: ReturnType<typeof startSandboxProgram> | undefined

/**
 * The sandbox of a worker, which ends with it: its test files run one after the other, and each begins with an empty one. What it
 * keeps beside its database is right without that, too.
 */
export async function sandboxOfWorker(): ReturnType<typeof startSandboxProgram> {
  ofWorker ??= startSandboxProgram()
  const program = await ofWorker
  await empty(program.databaseUrl)
  return program
}

/** All but the certificates of its PayPal, whose keys take long to make. */
async function empty(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'sandbox' and tablename <> 'paypal_certificates'",
    )
    await client.query(`truncate ${rows.map(({ name }) => name).join(', ')} restart identity`)
  } finally {
    await client.end()
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
