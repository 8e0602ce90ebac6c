import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss } from 'pg-boss'
import type { Db, Tx } from './database.ts'
import { NotMigrated } from './migrated.ts'

/** Puts jobs on queues. */
export interface JobSender {
  /**
   * Puts a job on a queue in the caller's transaction: it exists exactly if the transaction commits.
   * @param subject on a queue that is `oncePerSubject`: while a job about it waits, another one adds nothing
   */
  send(tx: Tx, queue: string, data: object, subject?: string): Promise<void>
  /**
   * Puts jobs on a queue in one statement, each by an id of the caller's: one that was put there in the last days is not added again,
   * so that a repeated sender doubles nothing.
   */
  sendEach(tx: Tx, queue: string, jobs: readonly IdentifiedJob[]): Promise<void>
  /** As `send`, to run after a number of seconds. */
  sendLater(tx: Tx, queue: string, data: object, later: { seconds: number; subject?: string }): Promise<void>
}

export interface IdentifiedJob {
  /** UUID. */
  id: string
  data: object
}

/** Each is lost only to a worker that has just begun the job that waited. */
const mostTries = 10

export function sending(boss: PgBoss, schema: string): JobSender {
  /**
   * While one about the subject waits, another one adds nothing. The one that waits is held until the transaction has committed, as workers
   * skip what is locked: it would else begin without what the transaction writes. One that has begun meanwhile is followed by another.
   */
  async function sendOrHold(tx: Tx, queue: string, data: object, options: { startAfter?: number; subject?: string }) {
    const { startAfter, subject } = options
    const sent = { db: fromDrizzle(tx, sql), ...(startAfter !== undefined && { startAfter }) }
    const isWaiting = sql`name = ${queue} and singleton_key = ${subject ?? ''} and state = 'created'`
    const hold = sql`select from ${sql.identifier(schema)}.job where ${isWaiting} for share`
    for (let tries = 0; tries < mostTries; tries += 1) {
      const id = await boss.send(queue, data, { ...sent, ...(subject && { singletonKey: subject }) })
      if (id !== null || !subject || (await tx.execute(hold)).rowCount) return
    }
    throw new Error(`the jobs of ${queue} begin faster than another one is sent`)
  }

  return {
    send: (tx, queue, data, subject) => sendOrHold(tx, queue, data, { ...(subject && { subject }) }),
    async sendEach(tx, queue, jobs) {
      const added = jobs.map(({ id, data }) => ({ id, data }))
      if (added.length > 0) await boss.insert(queue, added, { db: fromDrizzle(tx, sql) })
    },
    sendLater: (tx, queue, data, { seconds: startAfter, subject }) =>
      sendOrHold(tx, queue, data, { startAfter, ...(subject && { subject }) }),
  }
}

/**
 * For a command, whose jobs the running program handles: it works off none, and makes no tables.
 * @throws NotMigrated if the program has not made those of its queue
 */
export async function openJobSender(db: Db, { schema, program }: { schema: string; program: string }) {
  const executeSql = (text: string, values?: unknown[]) => db.$client.query(text, values)
  const boss = new PgBoss({ db: { executeSql }, schema, migrate: false, supervise: false, schedule: false })
  // Of its timers; a statement that fails is reported by itself.
  boss.on('error', () => undefined)
  if (!(await boss.isInstalled())) throw new NotMigrated(program)
  await boss.start()
  return {
    ...sending(boss, schema),
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false }),
  }
}
