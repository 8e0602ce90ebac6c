import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../deps.ts'
import { publishEvent } from '../events/events.writes.ts'
import { enqueueBankQuestion } from './bank-questions.ts'
import type { SubscriptionChange } from './projection.writes.ts'
import { emailOfChange } from './subscription-emails.rules.ts'
import { emailOwner } from './subscription-emails.writes.ts'
import { isDue } from './subscription-flags.rules.ts'

type Needs = Pick<Deps, 'clock' | 'config' | 'jobs'>

/** Tells the vendor's systems of a change, and the Owner what happened; in the transaction of the change. */
export async function announceChange(deps: Needs, tx: Tx, change: SubscriptionChange): Promise<void> {
  const { id, before, after, declinedCard, payer } = change
  await publishChange(deps, tx, change)
  const email = emailOfChange(before, after, deps.clock())
  if (email === 'confirmPayment') {
    await enqueueBankQuestion(deps, tx, { subscriptionId: id, isFirst: !before || !isDue(before) })
  } else if (email) await emailOwner(deps, tx, { id, email, declinedCard, payer })
}

/** What is due since a change that a command has read: its email, unless it is the first reading of a subscription. */
export async function enqueueFailed(deps: Pick<Deps, 'clock' | 'jobs'>, tx: Tx, change: SubscriptionChange) {
  const { id, before, after, isFirstReading } = change
  if (!before || isFirstReading) return
  const email = emailOfChange(before, after, deps.clock())
  const hasFailed = email === 'paymentFailed'
  if (!hasFailed && email !== 'confirmPayment') return
  await enqueueBankQuestion(deps, tx, { subscriptionId: id, isFirst: hasFailed || !isDue(before) })
}

/** Tells the vendor's systems of a change, in its transaction. */
export async function publishChange(deps: Needs, tx: Tx, { id, after, changed }: SubscriptionChange): Promise<void> {
  const { status, productCode, userCount, periodEnd, cancelAt, endedAt } = after
  const data = { subscriptionId: id, changed, status, productCode, userCount, periodEnd, cancelAt, endedAt }
  await publishEvent(deps, tx, { type: 'subscription.changed', data, now: deps.clock() })
}
