import type { Stage } from './stage.ts'

/**
 * Pauses before retries are seconds to hours of real time; here a day passes in less than a second. Jobs and deliveries that
 * wait for their next try, or for a killed program to give them up, are due now.
 */
export async function passRetryPauses({ query }: Stage): Promise<void> {
  await query("update account_jobs.job set start_after = now() where state = 'retry' and start_after > now()", [])
  for (const deliveries of ['sandbox.card_deliveries', 'sandbox.paypal_deliveries']) {
    await query(`update ${deliveries} set next_at = now() where next_at > now()`, [])
  }
}

/** The jobs that a killed program, or a broken connection, left active are run again, which happens by itself a minute later. */
export async function passJobLeases({ query }: Stage, startedBefore: Date): Promise<void> {
  await query(
    `update account_jobs.job set state = 'retry', start_after = now() where state = 'active' and started_on <= $1`,
    [startedBefore],
  )
}
