import { sql } from 'drizzle-orm'
import type { Tx } from './database.ts'

/**
 * Deletes jobs with a person's address: those that have ended (also with an address that contains it: they are leftovers), and emails
 * to the person that still wait. Other jobs that name the person, such as an email to a colleague, are delivered; the queue deletes them
 * after its own time.
 * @param schema of the queue
 * @param email lower case
 * @returns the number of jobs; 0 if the queue has never been started
 */
export async function eraseJobs(tx: Tx, schema: string, email: string): Promise<number> {
  const { rows } = await tx.execute<{ table: string | null }>(
    sql`select to_regclass(${`${schema}.job`})::text as "table"`,
  )
  if (!rows[0]?.table) return 0
  const { rowCount } = await tx.execute(sql`
    delete from ${sql.identifier(schema)}.${sql.identifier('job')}
    where state in ('completed', 'cancelled', 'failed') and strpos(lower(data::text), ${email}) > 0
      or state in ('created', 'retry') and lower(data ->> 'to') = ${email}`)
  return rowCount ?? 0
}
