import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import { migrate as drizzleMigrate } from 'drizzle-orm/node-postgres/migrator'
import type { PgColumn, PgDatabase, PgTable, PgTransactionConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { CommitOutcomeUnknown, isConnectionLost } from './database-failure.ts'

export type Db = NodePgDatabase & { $client: pg.Pool }
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** What reads: the pool, or a transaction of it. */
export type Reader = PgDatabase<NodePgQueryResultHKT>

interface PoolOptions {
  url: string
  /** Connections. */
  size?: number
  applicationName: string
}

/** The pool of web requests, with limits that keep one slow statement from stopping everybody. */
export function openDatabase({ url, size = 20, applicationName }: PoolOptions): Db {
  return databaseOn(
    newPool({
      connectionString: url,
      max: size,
      application_name: applicationName,
      connectionTimeoutMillis: 1000,
      statement_timeout: 5000,
      lock_timeout: 2000,
      idle_in_transaction_session_timeout: 10_000,
      // Ours, for a database that says nothing at all: longer than any of its own limits takes to be said.
      query_timeout: 6000,
    }),
  )
}

/** For migrations and imports: patient, and few. */
export function openPatientDatabase({ url, size = 2, applicationName }: PoolOptions): Db {
  return databaseOn(
    newPool({ connectionString: url, max: size, application_name: applicationName, connectionTimeoutMillis: 10_000 }),
  )
}

/**
 * A pool of which no connection can end the program. node-postgres emits `error` on a connection that ends, also while it is
 * checked out, and Node ends a program when nobody listens; what was under way fails by itself, and the next query opens
 * another connection.
 */
export function newPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ keepAlive: true, ...config })
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

function ignore(): void {}

function databaseOn(pool: pg.Pool): Db {
  return Object.assign(drizzle({ client: pool }), {
    transaction: <Result>(run: (tx: Tx) => Promise<Result>, config?: PgTransactionConfig) =>
      transactionOn(pool, run, config),
  })
}

/**
 * Drizzle's transaction, and what it leaves out: a connection that ended or does not answer is closed rather than given to the
 * next caller in the middle of a transaction.
 * @throws CommitOutcomeUnknown when the connection was lost between COMMIT and its answer
 */
async function transactionOn<Result>(
  pool: pg.Pool,
  run: (tx: Tx) => Promise<Result>,
  config: PgTransactionConfig | undefined,
): Promise<Result> {
  const client = await pool.connect()
  let isCommitting = false
  let isClosed = false
  const closeIfLost = (error: unknown) => {
    if (isClosed || !isConnectionLost(error)) return
    isClosed = true
    client.release(true)
  }

  try {
    return await drizzle({ client }).transaction(async (tx) => {
      const result = await run(tx).catch((error) => {
        // Before Drizzle waits for the answer to a ROLLBACK.
        closeIfLost(error)
        throw error
      })
      isCommitting = true
      return result
    }, config)
  } catch (error) {
    closeIfLost(error)
    throw isCommitting && isClosed ? new CommitOutcomeUnknown(error) : error
  } finally {
    if (!isClosed) client.release()
  }
}

/** Arbitrary, but the same in every program: two that start together migrate one after the other. */
const migrationLock = 4_172_011

/**
 * Brings the tables of one program up to date; what was done stands in `migrations.<program>`. Safe to run from several
 * servers at once.
 */
export async function migrate(url: string, migrationsFolder: string, program: string): Promise<void> {
  const db = openPatientDatabase({ url, size: 2, applicationName: 'atrium-migrate' })
  const lock = await db.$client.connect()
  try {
    await lock.query('select pg_advisory_lock($1)', [migrationLock])
    await drizzleMigrate(db, { migrationsFolder, migrationsSchema: 'migrations', migrationsTable: program })
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined)
    lock.release()
    await db.$client.end()
  }
}

/**
 * Keeps a prepared statement for the pool, and for each connection on which transactions use it: it is built once, and planned
 * once a connection.
 * @example const memberById = prepared('member_by_id', (db, name) => db.select()….prepare(name))
 */
export function prepared<Statement>(
  name: string,
  build: (db: Reader, name: string) => Statement,
): (db: Reader) => Statement {
  const statements = new WeakMap<object, Statement>()
  return (db) => {
    const connection = connectionOf(db)
    const known = statements.get(connection)
    if (known) return known
    const statement = build(db, name)
    statements.set(connection, statement)
    return statement
  }
}

/** The pool, or the one connection of a transaction: the next transaction on it finds its statements again. */
function connectionOf(db: Reader): object {
  const connection: unknown = Reflect.get(db._.session, 'client')
  return typeof connection === 'object' && connection !== null ? connection : db
}

/**
 * The same for a statement with several shapes (which filters are set): one plan each, since `$1 is null or …` would
 * spoil all of them.
 * @param build is given the shape; its values become part of the statement's name
 */
export function preparedShapes<Shape extends Readonly<Record<string, boolean | string>>, Statement>(
  name: string,
  build: (db: Reader, name: string, shape: Shape) => Statement,
): (db: Reader, shape: Shape) => Statement {
  const shapes = new Map<string, (db: Reader) => Statement>()
  return (db, shape) => {
    const key = [name, ...Object.values(shape)].join('_')
    const known = shapes.get(key) ?? prepared(key, (database, statement) => build(database, statement, shape))
    shapes.set(key, known)
    return known(db)
  }
}

/** Rows that one statement deletes or changes: that takes it far less than the pool's limit. */
const rowsAtOnce = 5000

/**
 * Deletes what is of no use any more, piece by piece: one statement for millions of rows would be cancelled, and again the next
 * time. Rows that somebody else is busy with stay until then.
 */
export async function purge(db: Db, table: PgTable, condition: SQL | undefined): Promise<void> {
  const piece = db
    .select({ place: sql`ctid` })
    .from(table)
    .where(condition)
    .limit(rowsAtOnce)
    .for('update', { skipLocked: true })
  for (;;) {
    const { rowCount } = await db.delete(table).where(sql`ctid = any(array${piece})`)
    if (!rowCount) return
  }
}

/** Empties a column of old rows piece by piece, as `purge` deletes them. */
export async function blank(db: Db, column: PgColumn, old: SQL): Promise<void> {
  const { table, name } = column
  for (;;) {
    const { rowCount } = await db.execute(sql`
      update ${table} set ${sql.identifier(name)} = null where ctid = any(array(
        select ctid from ${table} where ${column} is not null and ${old} limit ${rowsAtOnce} for update skip locked
      ))`)
    if (!rowCount) return
  }
}

/** A pattern for `like` that finds a text anywhere; `%` and `_` in it mean themselves. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/**
 * Newest or highest first, as our indexes have it: drizzle-kit writes them `desc nulls last`, and an order of plain `desc`
 * (nulls first) would sort the whole list instead of reading it off the index.
 */
export function descending(column: SQLWrapper): SQL {
  return sql`${column} desc nulls last`
}
