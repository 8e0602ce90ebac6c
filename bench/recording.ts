import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

/** A statement as it was sent. Statements with the same `step` ran concurrently. */
export interface Statement {
  query: pg.QueryConfig
  values: readonly unknown[]
  step: number
  rows: readonly unknown[]
}

let statements: Statement[] | undefined
let running = 0
let step = 0

/** Records the statements of `work`. Nothing else may use the pool meanwhile. */
export async function record<Result>(work: () => Promise<Result>) {
  const recorded: Statement[] = []
  statements = recorded
  step = 0
  const result = await work().finally(() => {
    statements = undefined
  })
  return { result, statements: recorded }
}

/** The statements of a page, and its answer. @throws Error when it is not a 200 */
export async function statementsOf(app: FastifyInstance, url: string, cookie: string) {
  const send = () => app.inject({ url, headers: { cookie } })
  // The first request of a session also updates `seen_at`.
  await send()
  const { result, statements } = await record(send)
  if (result.statusCode !== 200) throw new Error(`${url}: ${result.body}`)
  return [statements, result.json()] as const
}

/** Lets `record` see the queries of a pool and its connections. */
export function watch(pool: pg.Pool): void {
  watchQueries(pool)
  pool.on('connect', watchQueries)
}

/** The driver's `query` has many overloads; we only use those that return a promise. */
function watchQueries(target: { query: (...args: never[]) => unknown }): void {
  const query = target.query.bind(target) as (...args: unknown[]) => unknown
  target.query = (...args: unknown[]) => {
    const sent = query(...args)
    // A pool passes its queries on to a connection with a callback, so each is recorded once.
    return statements && sent instanceof Promise ? recordQuery(args, sent, statements) : sent
  }
}

async function recordQuery([query, values]: unknown[], sent: Promise<pg.QueryResult>, into: Statement[]) {
  if (running === 0) step += 1
  running += 1
  const config = typeof query === 'string' ? { text: query } : (query as pg.QueryConfig)
  const statement: Statement = {
    query: config,
    values: (values as unknown[] | undefined) ?? config.values ?? [],
    step,
    rows: [],
  }
  into.push(statement)
  const result = await sent.finally(() => {
    running -= 1
  })
  statement.rows = result.rows
  return result
}
