import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import { migrate as drizzleMigrate } from 'drizzle-orm/node-postgres/migrator'
import type { PgColumn, PgDatabase, PgTable, PgTransactionConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { CommitOutcomeUnknown, isConnectionLost } from './database-failure.ts'

export type Db = NodePgDatabase & { $client: pg.Pool }
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** The pool, or a transaction on it. */
export type Reader = PgDatabase<NodePgQueryResultHKT>

interface PoolOptions {
  url: string
  /** Number of connections. */
  size?: number
  applicationName: string
  /** Milliseconds that a request waits for a connection. */
  connectMs?: number
}

/** The pool for web requests. Its limits keep one slow statement from blocking all others. */
export function openDatabase(options: PoolOptions): Db {
  return databaseOn(openPool(options))
}

export function openPool({ url, size = 20, applicationName, connectMs = 1000 }: PoolOptions): pg.Pool {
  return newPool({
    connectionString: url,
    max: size,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    statement_timeout: 5000,
    lock_timeout: 2000,
    idle_in_transaction_session_timeout: 10_000,
    // The client's own, for a database that does not respond: longer than any of the server's limits.
    query_timeout: 6000,
  })
}

/** The pool for migrations and imports: few connections, no statement limits. */
export function openBatchDatabase({ url, size = 2, applicationName }: Omit<PoolOptions, 'connectMs'>): Db {
  return databaseOn(
    newPool({ connectionString: url, max: size, application_name: applicationName, connectionTimeoutMillis: 10_000 }),
  )
}

/**
 * A pool whose connections cannot end the program. node-postgres emits `error` when a connection ends, even while it is checked
 * out, and Node exits if nothing listens. The query in progress fails, and the next one opens another connection.
 */
export function newPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ keepAlive: true, ...config })
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

function ignore(): void {}

export function databaseOn(pool: pg.Pool): Db {
  return Object.assign(drizzle({ client: pool }), {
    transaction: <Result>(run: (tx: Tx) => Promise<Result>, config?: PgTransactionConfig) =>
      transactionOn(pool, run, config),
  })
}

/**
 * Drizzle's transaction, which closes a connection that ended or does not answer. Otherwise the next caller would get it in the
 * middle of a transaction.
 * @throws CommitOutcomeUnknown if the connection was lost between COMMIT and its answer
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

/** Arbitrary, but the same in every program: programs that start together migrate one after the other. */
const migrationLock = 4_172_011

/**
 * Applies a program's migrations, which are recorded in `migrations.<program>`. Safe to run from several servers concurrently.
 */
export async function migrate(url: string, migrationsFolder: string, program: string): Promise<void> {
  const db = openBatchDatabase({ url, size: 2, applicationName: 'atrium-migrate' })
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
 * A prepared statement, built and planned once per connection.
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

/** The pool, or the connection of a transaction, whose next transaction reuses the statements. */
function connectionOf(db: Reader): object {
  const connection: unknown = Reflect.get(db._.session, 'client')
  return typeof connection === 'object' && connection !== null ? connection : db
}

/**
 * The same for a statement in several shapes (which filters are set): one plan each, since `$1 is null or …` would spoil them
 * all.
 * @param build receives the shape; its values become part of the statement's name
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

/** For `onConflictDoUpdate`: sets these columns to the inserted values. */
export function excluded<Table extends PgTable>(
  table: Table,
  names: readonly (keyof Table['$inferInsert'] & string)[],
) {
  const columns = getTableColumns(table)
  return Object.fromEntries(names.map((name) => [name, sql`excluded.${sql.identifier(columns[name]?.name ?? name)}`]))
}

/** Rows per statement: takes far less time than the pool's limit. */
const rowsAtOnce = 5000

/**
 * Deletes rows in batches: a single statement for millions of rows would hit the limit every time. Skips locked rows until the
 * next run.
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

/** Sets a column to null in old rows, in batches like `purge`. */
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

/** A pattern for `like` that finds a text anywhere; `%` and `_` in it are literal. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/**
 * Newest or highest first, in the order of our indexes: drizzle-kit creates them `desc nulls last`, and plain `desc` (nulls
 * first) would sort the whole list instead of reading the index.
 */
export function descending(column: SQLWrapper): SQL {
  return sql`${column} desc nulls last`
}
