import type { RenewalReason } from '@atrium/contract/products.ts'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { accessAt } from '../subscriptions/subscriptions.rules.ts'
import { renewalDismissals } from './products.tables.ts'

/** A dismissed prompt is hidden for so many days. */
const dismissedDays = 7

/** The reasons for which the member has hidden the prompt about a subject. */
export function dismissedReasons(subject: SQLWrapper): SQL<RenewalReason[]> {
  return sql<RenewalReason[]>`array(
    select d.reason from ${renewalDismissals} d
    where d.member_id = ${sql.placeholder('memberId')} and d.subject = ${subject}
      and d.dismissed_at > ${accessAt.now}::timestamptz - make_interval(days => ${sql.raw(String(dismissedDays))})
  )`
}
