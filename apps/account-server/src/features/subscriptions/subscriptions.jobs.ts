import type { Tx } from '@atrium/server-kit/database.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { isRecent } from '../../db/calendar.rules.ts'
import type { Deps } from '../../deps.ts'
import { recordSystem } from '../activity/activity.writes.ts'
import { publishEvent } from '../events/events.writes.ts'
import { type PaidOrder, paidOrdersQueue } from '../orders/receipts.writes.ts'
import { type BankQuestion, bankQuestionsQueue, emailBankQuestion } from './bank-questions.ts'
import { sendReceipt } from './receipts/send-receipt.ts'
import { sendReminders } from './reminders.jobs.ts'
import { emailOwner } from './subscription-emails.writes.ts'
import { accessEnd, accessNow, currentStatus } from './subscriptions.rules.ts'
import { subscriptions } from './subscriptions.tables.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'clock' | 'jobs'>

export async function subscriptionsJobs(jobs: Jobs, deps: Deps): Promise<void> {
  await jobs.work<PaidOrder>(paidOrdersQueue, (paid) => sendReceipt(deps, paid))
  await jobs.work<BankQuestion>(bankQuestionsQueue, (question) => emailBankQuestion(deps, question))
  await jobs.schedule('subscriptions.end', '7 * * * *', () => endSubscriptions(deps))
  await jobs.schedule('subscriptions.remind', '37 6 * * *', () => sendReminders(deps))
}

const atOnce = 200

/**
 * Writes down the ends that no provider tells: of offline, given and prepaid subscriptions, and of what was canceled at PayPal, where
 * nothing happens at the end of the paid period. Lists show them at once.
 */
export async function endSubscriptions(deps: Needs): Promise<void> {
  for (;;) {
    const ended = await deps.db.transaction((tx) => endSome(deps, tx))
    if (ended < atOnce) return
  }
}

async function endSome(deps: Needs, tx: Tx): Promise<number> {
  const access = accessNow(deps)
  const { id, memberId, productCode, userCount, periodEnd, status, providerId, channel } = subscriptions
  const newStatus = currentStatus(access)
  const ending = await tx
    .select({
      ...{ id, memberId, productCode, userCount, periodEnd, before: status },
      status: newStatus,
      endedAt: sql<number>`extract(epoch from ${accessEnd(access)})`.mapWith(Number),
    })
    .from(subscriptions)
    .where(and(or(isNull(providerId), eq(channel, 'paypal')), sql`${newStatus} not in (${status}, 'pending')`))
    .limit(atOnce)
    .for('update', { skipLocked: true })
  for (const { before, endedAt: seconds, ...row } of ending) {
    const endedAt = new Date(seconds * 1000)
    await tx.update(subscriptions).set({ status: row.status, endedAt, autoRenew: false }).where(eq(id, row.id))
    const details = { productCode: row.productCode, before: { status: before }, after: { status: row.status, endedAt } }
    const program = { memberId: row.memberId, actor: 'subscriptions.end', address: null, requestId: null }
    await recordSystem(tx, program, { action: 'subscription.ended', target: row.id, details, now: access.now })
    const { id: subscriptionId, status, productCode, userCount, periodEnd } = row
    const data = { subscriptionId, changed: ['status', 'endedAt'], status, productCode, userCount, periodEnd, endedAt }
    await publishEvent(deps, tx, { type: 'subscription.changed', data, now: access.now })
    if (isRecent(endedAt, access.now)) await emailOwner(deps, tx, { id: row.id, email: 'ended' })
  }
  return ending.length
}
