import type { SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { subscriptions } from './subscriptions.tables.ts'

/** The moment for which access is checked, and the days that a failed payment still gives it (`PAST_DUE_DAYS`). */
export interface AccessAt {
  now: Date
  pastDueDays: number
}

/** `AccessAt` as placeholders of a prepared statement. */
export const accessAt = { now: sql.placeholder('now'), pastDueDays: sql.placeholder('pastDueDays') }

type Asked = { [Name in keyof AccessAt]: AccessAt[Name] | SQLWrapper }

/**
 * When access ends as things are now: `infinity` while it renews, `-infinity` if it gives none. In SQL, since lists filter by it.
 * A renewing subscription is open until the provider says otherwise, and at PayPal no longer than it was paid for; after a failed
 * payment it has the days of retries. A trial that goes on is billed by the provider within hours of its end.
 */
export function accessEnd({ now, pastDueDays }: Asked): SQL<Date | number> {
  const { status, autoRenew, cancelAt, periodEnd, trialEnd, pastDueSince, endedAt, paidUntil } = subscriptions
  return sql<Date | number>`least(coalesce(${endedAt}, 'infinity'), coalesce(case
    when ${status} = 'past_due' then greatest(${pastDueSince} + make_interval(days => ${pastDueDays}::int), ${paidUntil})
    when ${status} = 'trialing' then coalesce(
      ${cancelAt}, coalesce(${trialEnd}, ${periodEnd}) + case when ${autoRenew} then interval '1 day' else interval '0' end, 'infinity')
    when ${status} = 'active' and ${autoRenew} and ${cancelAt} is null then
      case when ${paidUntil} <= ${now}::timestamptz then ${paidUntil} else 'infinity' end
    when ${status} in ('active', 'offline-purchase', 'given') then coalesce(${cancelAt}, ${periodEnd}, 'infinity')
  end, '-infinity'))`
}

/** Whether a subscription gives access. */
export function hasAccess({ now, pastDueDays }: Asked): SQL<boolean> {
  return sql<boolean>`(${now}::timestamptz < ${accessEnd({ now, pastDueDays })})`
}

/**
 * The status, also in the hours between an end and the job that writes it down. What renews at PayPal, and was neither paid nor failed,
 * has not ended.
 */
export function currentStatus(asked: Asked): SQL<SubscriptionStatus> {
  const { status, term, providerId, cancelAt, autoRenew, endedAt } = subscriptions
  // No provider tells the end of a trial that a transfer left without one.
  const isEndTold = sql`(${status} = 'trialing' and (${providerId} is not null or ${cancelAt} is null))`
  return sql<SubscriptionStatus>`case
    when ${status} not in ('active', 'trialing', 'offline-purchase', 'given') or ${isEndTold} or ${hasAccess(asked)} then ${status}
    when ${status} = 'active' and ${autoRenew} and ${cancelAt} is null and ${endedAt} is null then 'pending'
    when ${status} = 'offline-purchase' or ${term} in ('paid_monthly', 'paid_yearly') then 'prepayment-expired'
    else 'canceled'
  end`
}

/** The end date that is shown; null: none. While a renewal is retried it is the end of access: its period is not paid. */
export function shownEnd(asked: Asked): SQL<Date | null> {
  const { status, endedAt, cancelAt, trialEnd, periodEnd } = subscriptions
  return sql<Date | null>`coalesce(
    case when ${status} = 'past_due' then nullif(${accessEnd(asked)}, '-infinity') end,
    ${endedAt}, ${cancelAt}, case when ${status} = 'trialing' then ${trialEnd} end, ${periodEnd}
  )`
}

/**
 * The end that a program is told, which may ask again only then; null: none. Never later than what is paid: not the end of a commitment
 * of which a month is paid, nor that of a period whose payment was not tried yet.
 */
export function programEnd(asked: Asked): SQL<Date | null> {
  const { isRenewing, periodEnd } = subscriptions
  const { now, pastDueDays } = asked
  const unpaid = sql`case when ${isRenewing} then ${now}::timestamptz + make_interval(days => ${pastDueDays}::int) end`
  const ofPeriod = sql`case when ${periodEnd} > ${now}::timestamptz then ${periodEnd} end`
  return sql<Date | null>`case when ${shownEnd(asked)} is not null then least(${shownEnd(asked)}, ${unpaid}, ${ofPeriod}) end`
}

/** Access now, with the vendor's settings. */
export function accessNow({ config, clock }: Pick<Deps, 'config' | 'clock'>): AccessAt {
  return { now: clock(), pastDueDays: config.PAST_DUE_DAYS }
}
