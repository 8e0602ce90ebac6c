import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

/** A statement as it was sent. What has the same `step` was under way at once. */
export interface Statement {
  query: pg.QueryConfig
  values: readonly unknown[]
  step: number
  rows: readonly unknown[]
}

let statements: Statement[] | undefined
let running = 0
let step = 0

/** Notes the statements of one piece of work, while nothing else goes on. */
export async function recorded<Result>(work: () => Promise<Result>) {
  const noted: Statement[] = []
  statements = noted
  step = 0
  const result = await work().finally(() => {
    statements = undefined
  })
  return { result, statements: noted }
}

/** The statements of a page, and its answer. @throws Error when there is none */
export async function statementsOf(app: FastifyInstance, url: string, cookie: string) {
  const ask = () => app.inject({ url, headers: { cookie } })
  // The first request of a session writes that it was seen.
  await ask()
  const { result, statements } = await recorded(ask)
  if (result.statusCode !== 200) throw new Error(`${url}: ${result.body}`)
  return [statements, result.json()] as const
}

/** Lets `recorded` see what goes over a pool and its connections. */
export function watch(pool: pg.Pool): void {
  watchQueries(pool)
  pool.on('connect', watchQueries)
}

/** The driver's `query` has a dozen shapes; only those that answer a promise are ours. */
function watchQueries(target: { query: (...args: never[]) => unknown }): void {
  const query = target.query.bind(target) as (...args: unknown[]) => unknown
  target.query = (...args: unknown[]) => {
    const sent = query(...args)
    // A pool hands its queries on to a connection, with a callback.
    return statements && sent instanceof Promise ? note(args, sent, statements) : sent
  }
}

async function note([query, values]: unknown[], sent: Promise<pg.QueryResult>, noted: Statement[]) {
  if (running === 0) step += 1
  running += 1
  const config = typeof query === 'string' ? { text: query } : (query as pg.QueryConfig)
  const statement: Statement = {
    query: config,
    values: (values as unknown[] | undefined) ?? config.values ?? [],
    step,
    rows: [],
  }
  noted.push(statement)
  const result = await sent.finally(() => {
    running -= 1
  })
  statement.rows = result.rows
  return result
}
