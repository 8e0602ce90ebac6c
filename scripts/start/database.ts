import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded.ts'

export interface Database {
  url: string
  stop(): Promise<void>
}

const minimumVersion = 150_000

/** The PostgreSQL of DATABASE_URL. Connects once, so that a wrong address fails early with a clear message. */
export async function ownDatabase(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
    const version = Number(rows[0]?.server_version_num)
    if (version < minimumVersion) {
      throw new Error(`it is PostgreSQL ${Math.trunc(version / 10_000)}, and Atrium needs 15 or later`)
    }
  } catch (error) {
    throw new Error(
      `DATABASE_URL does not work: ${reasonOf(error)}. Correct it, or leave it out to use the embedded PostgreSQL.`,
    )
  } finally {
    await client.end().catch(() => undefined)
  }
  return { url, stop: async () => undefined }
}

/** The driver's errors name host, user or database, never the password. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error ? first.message : String(first)
}

/** The embedded PostgreSQL, which is restarted on the same port when it is killed. */
export async function embeddedDatabase(
  directory: string,
  say: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<Database> {
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ directory, signal })
  const { port, url } = server
  let wanted = true

  const watch = async () => {
    while (wanted) {
      await server.exited
      if (!wanted) return
      say('PostgreSQL stopped unexpectedly; restarting it.')
      await sleep(200)
      if (!wanted) return
      server = await startEmbeddedPostgres({ directory, port })
    }
  }
  const watched = watch().catch((error) => say(error instanceof Error ? error.message : String(error)))

  return {
    url,
    async stop() {
      wanted = false
      await server.stop()
      // A restart under way ends with a new server, which must stop too.
      await watched
      await server.stop()
    },
  }
}
