import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { emailOwner } from './subscription-emails.writes.ts'
import { isDue } from './subscription-flags.rules.ts'
import { subscriptions } from './subscriptions.tables.ts'

/** Most questions of a bank are answered within a minute, on the page that shows them. */
const answerSeconds = 300

/** Its jobs run once there was time to answer. */
export const bankQuestionsQueue = 'subscriptions.bank-question'

/** A bank asks the customer to confirm the payment of what is due; or it has failed, and a command has read that first. */
export interface BankQuestion {
  subscriptionId: string
  /** Whether the payment became due with it: no email has said so. */
  isFirst: boolean
}

export function enqueueBankQuestion({ jobs }: Pick<Deps, 'jobs'>, tx: Tx, question: BankQuestion): Promise<void> {
  const later = { seconds: answerSeconds, subject: question.subscriptionId }
  return jobs.sendLater(tx, bankQuestionsQueue, question, later)
}

/** Emails the Owner what is still due: that the bank asks, or that the payment failed. Nothing once it is paid. */
export async function emailBankQuestion(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'jobs'>,
  { subscriptionId: id, isFirst }: BankQuestion,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
    if (!row || !isDue(row)) return
    if (row.needsConfirmation) await emailOwner(deps, tx, { id, email: 'confirmPayment' })
    else if (isFirst) await emailOwner(deps, tx, { id, email: 'paymentFailed' })
  })
}
