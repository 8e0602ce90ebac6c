import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newForwarder, throughForwarder } from '@atrium/server-kit/test-forwarder.ts'
import pg from 'pg'
import { startEmbeddedPostgres } from '../scripts/postgres/embedded.ts'

export type StageDatabase = Awaited<ReturnType<typeof openStageDatabase>>

/** The database of a stage, by way of a forwarder, and what can happen to it. Each function ends when it is back. */
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

  async function killed(): Promise<void> {
    const pid = Number((await readFile(join(directory, 'postgresql/postmaster.pid'), 'utf8')).split('\n')[0])
    process.kill(pid, 'SIGKILL')
    await postgres.exited
  }

  return {
    url: throughForwarder(postgres.url, forwarder),

    /** An operator ends every connection, again and again. */
    terminateConnections: (ms: number) =>
      withDirect(async (client) => {
        for (const end = Date.now() + ms; Date.now() < end; await pause(150)) {
          await client.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
          )
        }
      }),

    /** kill -9; started again at the same address. */
    async kill(): Promise<void> {
      const { port } = postgres
      await killed()
      postgres = await startEmbeddedPostgres({ directory, port })
    },

    /** kill -9; the same data are served from elsewhere. */
    async failOver(): Promise<void> {
      await killed()
      postgres = await startEmbeddedPostgres({ directory })
      forwarder.moveTo(postgres.port)
    },

    /** Every process of it stands still: connections stay open, and nothing is answered. */
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

    /** Every request waits for one lock, until each connection of the pool is taken. */
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
    // A connection that ended by itself meanwhile.
  }
}
