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

export function sending(boss: PgBoss): JobSender {
  return {
    async send(tx, queue, data, subject) {
      await boss.send(queue, data, { db: fromDrizzle(tx, sql), ...(subject && { singletonKey: subject }) })
    },
    async sendEach(tx, queue, jobs) {
      const added = jobs.map(({ id, data }) => ({ id, data }))
      if (added.length > 0) await boss.insert(queue, added, { db: fromDrizzle(tx, sql) })
    },
    async sendLater(tx, queue, data, { seconds: startAfter, subject }) {
      await boss.send(queue, data, { db: fromDrizzle(tx, sql), startAfter, ...(subject && { singletonKey: subject }) })
    },
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
    ...sending(boss),
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false }),
  }
}
