import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openDatabase, openPool } from './database.ts'

interface TestDatabase extends AsyncDisposable {
  url: string
}

interface Options {
  /** Name of the template, one per program: `atrium_test_account`. */
  template: string
  migrate(url: string): Promise<void>
}

/** A database cloned from a template that is migrated once per run. Dropped on disposal. */
export async function newTestDatabase({ template, migrate }: Options): Promise<TestDatabase> {
  // A role that may create databases; set by the tests' global setup.
  const adminUrl = process.env.ATRIUM_TEST_DATABASE_URL
  if (!adminUrl) throw new Error('ATRIUM_TEST_DATABASE_URL is not set: run the tests with `npx vitest`.')

  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query('select pg_advisory_lock(hashtext($1))', [template])
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [template])
    if (rowCount === 0) {
      const building = `${template}_building`
      await admin.query(`drop database if exists ${building}`)
      await admin.query(`create database ${building}`)
      await migrate(addressOf(adminUrl, building))
      await admin.query(`alter database ${building} rename to ${template}`)
    }
    const name = `${template}_${randomBytes(6).toString('hex')}`
    // Nothing of it is kept after a crash, so that its files are copied instead of their contents written to the log.
    await admin.query(`create database ${name} template ${template} strategy file_copy`)
    return {
      url: addressOf(adminUrl, name),
      async [Symbol.asyncDispose]() {
        const dropper = new pg.Client({ connectionString: adminUrl })
        await dropper.connect()
        await dropper.query(`drop database if exists ${name} with (force)`)
        await dropper.end()
      },
    }
  } finally {
    await admin.end()
  }
}

interface FileDatabase extends TestDatabase {
  /** For all tests of the file: a connection takes longer than most queries. It is ended with the database. */
  pool: pg.Pool
}

/** The databases of the test file that runs, by template. */
const ofFile = new Map<string, Promise<FileDatabase>>()

/** The running test file's own database: made on first use, dropped when the file has ended. */
export function fileDatabase(options: Options): Promise<FileDatabase> {
  const existing = ofFile.get(options.template)
  if (existing) return existing
  const made = withPool(options)
  ofFile.set(options.template, made)
  return made
}

async function withPool(options: Options): Promise<FileDatabase> {
  const { url, [Symbol.asyncDispose]: drop } = await newTestDatabase(options)
  // On a busy machine a connection takes long, which matters only to tests of the connections: they have their own.
  const pool = openPool({ url, size: 10, applicationName: 'test', connectMs: 10_000 })
  return {
    url,
    pool,
    async [Symbol.asyncDispose]() {
      await pool.end()
      await drop()
    },
  }
}

const endings: (() => Promise<void>)[] = []

/** What a module keeps for the tests of a file ends with each file: a worker runs many of them, with the same modules. */
export function whenFileEnds(end: () => Promise<void>): void {
  endings.push(end)
}

/** After each test file. */
export async function endFile(): Promise<void> {
  for (const end of endings) await end()
  const databases = [...ofFile.values()]
  ofFile.clear()
  for (const database of databases) await (await database)[Symbol.asyncDispose]()
}

/** A database without tables, with the pool of the servers. */
export async function newEmptyDatabase() {
  const database = await newTestDatabase({ template: 'atrium_test_empty', migrate: async () => undefined })
  const db = openDatabase({ url: database.url, applicationName: 'test' })
  return {
    url: database.url,
    db,
    async [Symbol.asyncDispose]() {
      await db.$client.end()
      await database[Symbol.asyncDispose]()
    },
  }
}

function addressOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}
