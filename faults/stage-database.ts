import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newForwarder, throughForwarder } from '@atrium/server-kit/test-forwarder.ts'
import pg from 'pg'
import { startEmbeddedPostgres } from '../scripts/postgres/embedded.ts'

export type StageDatabase = Awaited<ReturnType<typeof openStageDatabase>>

/** The stage's database behind a forwarder, and ways to break it. Each resolves when the database is back. */
export async function openStageDatabase(directory: string) {
  let postgres = await startEmbeddedPostgres({ directory })
  const forwarder = await newForwarder(postgres.port)

  async function withDirect<Result>(run: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    try {
      return await run(client)
    } finally {
      await client.end()
    }
  }

  async function killPostgres(): Promise<void> {
    const pid = Number((await readFile(join(directory, 'postgresql/postmaster.pid'), 'utf8')).split('\n')[0])
    process.kill(pid, 'SIGKILL')
    await postgres.exited
  }

  return {
    url: throughForwarder(postgres.url, forwarder),
    /** Past the forwarder; it is not followed by a failover. */
    directUrl: postgres.url,

    /** Terminates every connection, repeatedly. */
    terminateConnections: (ms: number) =>
      withDirect(async (client) => {
        for (const end = Date.now() + ms; Date.now() < end; await pause(150)) {
          await client.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
          )
        }
      }),

    /** Kills it with SIGKILL and starts it again at the same address. */
    async kill(): Promise<void> {
      const { port } = postgres
      await killPostgres()
      postgres = await startEmbeddedPostgres({ directory, port })
    },

    /** Kills it with SIGKILL and serves the same data from another port. */
    async failOver(): Promise<void> {
      await killPostgres()
      postgres = await startEmbeddedPostgres({ directory })
      forwarder.moveTo(postgres.port)
    },

    /** Suspends every process: connections stay open, and no query is answered. */
    async stop(ms: number): Promise<void> {
      const pids = await withDirect(async (client) => {
        const { rows } = await client.query<{ pid: number }>(
          'select pid from pg_stat_activity where pid <> pg_backend_pid()',
        )
        return rows.map(({ pid }) => pid)
      })
      const master = Number((await readFile(join(directory, 'postgresql/postmaster.pid'), 'utf8')).split('\n')[0])
      for (const pid of [master, ...pids]) signal(pid, 'SIGSTOP')
      await pause(ms)
      for (const pid of [...pids, master]) signal(pid, 'SIGCONT')
    },

    /** Holds a lock that every request waits for, until the pool is exhausted. */
    block: (ms: number) =>
      withDirect(async (client) => {
        await client.query('begin')
        await client.query('lock table account.sessions in access exclusive mode')
        await pause(ms)
        await client.query('rollback')
      }),

    async close(): Promise<void> {
      await forwarder[Symbol.asyncDispose]()
      await postgres.stop()
    },
  }
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has exited in the meantime.
  }
}
