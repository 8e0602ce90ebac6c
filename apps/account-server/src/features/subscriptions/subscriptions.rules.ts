import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { subscriptions } from './subscriptions.tables.ts'

/** When access is asked for, and for how many days a failed payment still gives it (`PAST_DUE_DAYS`). */
export interface AccessAt {
  now: Date
  pastDueDays: number
}

/** The same as placeholders of a prepared statement, which is then executed with `AccessAt`. */
export const accessAt = { now: sql.placeholder('now'), pastDueDays: sql.placeholder('pastDueDays') }

type Asked = { [Name in keyof AccessAt]: AccessAt[Name] | SQLWrapper }

/**
 * Whether a subscription gives access: the one rule, in the database's words, since lists filter by it. One that renews
 * by itself is open until the provider says otherwise; one whose payment failed has the days of retries.
 */
export function hasAccess({ now, pastDueDays }: Asked): SQL<boolean> {
  const { status, autoRenew, cancelAt, periodEnd, trialEnd, pastDueSince, endedAt } = subscriptions
  return sql<boolean>`(coalesce(${now}::timestamptz < ${endedAt}, true) and coalesce(${now}::timestamptz < case
    when ${status} = 'past_due' then ${pastDueSince} + make_interval(days => ${pastDueDays}::int)
    when ${status} = 'trialing' then coalesce(${cancelAt}, ${trialEnd}, ${periodEnd}, 'infinity')
    when ${status} = 'active' and ${autoRenew} and ${cancelAt} is null then 'infinity'
    when ${status} in ('active', 'offline-purchase', 'given') then coalesce(${cancelAt}, ${periodEnd}, 'infinity')
  end, false))`
}

/** The date that people are shown as its end; null: it has none. Access may outlast it, while a renewal is retried. */
export function shownEnd(): SQL<Date | null> {
  const { status, endedAt, cancelAt, trialEnd, periodEnd } = subscriptions
  return sql<Date | null>`coalesce(
    ${endedAt}, ${cancelAt}, case when ${status} = 'trialing' then ${trialEnd} end, ${periodEnd}
  )`
}

/** Access at this moment, by the vendor's settings. */
export function accessNow({ config, clock }: Pick<Deps, 'config' | 'clock'>): AccessAt {
  return { now: clock(), pastDueDays: config.PAST_DUE_DAYS }
}
