import { and, asc, eq, gt, isNotNull, isNull, lte, type SQL } from 'drizzle-orm'
import { daysLater } from '../../db/calendar.rules.ts'
import type { Deps } from '../../deps.ts'
import { isMoved } from './moving/moving.queries.ts'
import { payerNow } from './payer-now.ts'
import { chargeReminder, firstReminder, renewalReminder } from './reminders.rules.ts'
import { emailOwner } from './subscription-emails.writes.ts'
import { type NoticeKind, subscriptionNotices } from './subscription-notices.tables.ts'
import { note } from './subscription-notices.writes.ts'
import { subscriptions } from './subscriptions.tables.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'clock' | 'jobs' | 'logger'> & { cards: Pick<Deps['cards'], 'payerOf'> }

/**
 * Reminds Owners of what a provider charges for another year, and of the card that pays, or that none does. While the provider does
 * not answer, it is the reminder without that.
 */
export async function remindOfRenewals(deps: Needs): Promise<void> {
  const { db, clock, config } = deps
  const { id: ids, channel, providerId, periodStart, periodEnd } = subscriptions
  const columns = { id: ids, channel, providerId, periodStart, periodEnd, isMoved: isMoved() }
  const renewing = await db.select(columns).from(subscriptions).where(renewsSoon(clock())).orderBy(asc(ids))
  for (const row of renewing) {
    const due = reminderOf(row, clock())
    if (!due || (await isNoted(db, due))) continue
    const isAtCard = row.channel === 'card' && config.CARD_PROVIDER !== 'none'
    const payer = isAtCard && row.providerId ? await payerNow(deps, row.providerId) : undefined
    await db.transaction(async (tx) => {
      const now = clock()
      const isStill = and(eq(ids, row.id), eq(periodEnd, due.endsAt), renewsSoon(now))
      const [still] = await tx.select({ id: ids }).from(subscriptions).where(isStill).for('update')
      if (!still || !(await note(tx, due.kind, { ...due, now }))) return
      await emailOwner(deps, tx, { id: row.id, email: 'renewSoon', payer })
    })
  }
}

interface Reminder {
  /** The subscription's id. */
  id: string
  kind: NoticeKind
  endsAt: Date
}

interface Renewing {
  id: string
  periodStart: Date
  periodEnd: Date | null
  isMoved: boolean
}

function reminderOf({ id, periodEnd: endsAt, ...renewing }: Renewing, now: Date): Reminder | undefined {
  const due = endsAt && chargeReminder({ ...renewing, endsAt }, now)
  return due ? { id, kind: renewalReminder(due), endsAt } : undefined
}

async function isNoted(db: Deps['db'], { id, kind, endsAt }: Reminder): Promise<boolean> {
  const { subscriptionId, kind: kinds, endsAt: ends } = subscriptionNotices
  const isSame = and(eq(subscriptionId, id), eq(kinds, kind), eq(ends, endsAt))
  return (await db.$count(subscriptionNotices, isSame)) > 0
}

function renewsSoon(now: Date): SQL | undefined {
  const { status, providerId, cancelAt, autoRenew, term, periodEnd } = subscriptions
  return and(
    ...[eq(status, 'active'), isNotNull(providerId), isNull(cancelAt), eq(autoRenew, true), eq(term, 'yearly')],
    ...[gt(periodEnd, now), lte(periodEnd, daysLater(now, firstReminder.days))],
  )
}
