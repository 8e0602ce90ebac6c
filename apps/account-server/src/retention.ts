import { blank, purge } from '@atrium/server-kit/database.ts'
import { daysBefore, type Retention } from '@atrium/server-kit/retention.ts'
import { and, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { AccountConfig } from './config.ts'
import { idempotencyKeys } from './db/idempotency-keys.tables.ts'
import type { Deps } from './deps.ts'
import { activity } from './features/activity/activity.tables.ts'
import { isOver } from './features/archives/archives.queries.ts'
import { archives } from './features/archives/archives.tables.ts'
import { events } from './features/events/events.tables.ts'
import { providerOperations } from './features/payments/operations/operations.tables.ts'
import { providerEvents } from './features/payments/webhooks/webhooks.tables.ts'
import { sessionLimits } from './features/session/identify.ts'
import { purgeSessions } from './features/session/session.queries.ts'
import { changeQuotes } from './features/subscriptions/plan-change/change-quotes.tables.ts'
import { purgeSupport } from './features/support-sessions/support-sessions.queries.ts'
import { transferCodes } from './features/transfers/transfers.tables.ts'

type Setting = keyof AccountConfig & `${string}_DAYS`

interface Purge {
  job: string
  cron: string
  setting: Setting
  /** The column with the row's age. */
  since: PgColumn
  /** Only these rows of the table. */
  where?: SQL
}

/**
 * All data that is stored for a limited time. A customer's data (orders, devices, addresses …) stays until the vendor deletes
 * it; rate limits expire by themselves.
 */
export function retention({ config, db, wallClock }: Pick<Deps, 'config' | 'db' | 'wallClock'>): readonly Retention[] {
  const isOlder = (column: PgColumn, setting: Setting) => lt(column, daysBefore(wallClock(), config[setting]))
  const purged = ({ job, cron, setting, since, where }: Purge): Retention => ({
    job,
    cron,
    settings: [setting],
    run: () => purge(db, since.table, and(where, isOlder(since, setting))),
  })

  return [
    {
      job: 'sessions.purge',
      cron: '17 3 * * *',
      settings: ['SESSION_IDLE_MINUTES', 'SESSION_ABSOLUTE_HOURS'],
      run: () => purgeSessions(db, sessionLimits(config), wallClock()),
    },
    {
      job: 'support-sessions.purge',
      cron: '7 4 * * *',
      settings: ['ACTIVITY_DAYS'],
      run: () => purgeSupport(db, { now: wallClock(), days: config.ACTIVITY_DAYS }),
    },
    purged({ job: 'activity.purge', cron: '22 3 * * *', setting: 'ACTIVITY_DAYS', since: activity.at }),
    {
      job: 'activity-addresses.blank',
      cron: '27 3 * * *',
      settings: ['ACTIVITY_ADDRESS_DAYS'],
      run: () => blank(db, activity.address, isOlder(activity.at, 'ACTIVITY_ADDRESS_DAYS')),
    },
    {
      job: 'payment-addresses.blank',
      cron: '52 3 * * *',
      settings: ['ACTIVITY_ADDRESS_DAYS'],
      run: () => blank(db, providerOperations.address, isOlder(providerOperations.createdAt, 'ACTIVITY_ADDRESS_DAYS')),
    },
    purged({
      job: 'idempotency-keys.purge',
      cron: '32 3 * * *',
      setting: 'IDEMPOTENCY_KEY_DAYS',
      since: idempotencyKeys.createdAt,
    }),
    purged({
      job: 'payments.purge',
      cron: '37 3 * * *',
      setting: 'PROVIDER_OPERATION_DAYS',
      since: providerOperations.resolvedAt,
      // Operations that changed something, or were declined, stay as a record.
      where: sql`${providerOperations.status} = 'failed' and ${providerOperations.problem} is distinct from 'card_refused'`,
    }),
    purged({
      job: 'provider-events.purge',
      cron: '42 3 * * *',
      setting: 'PROVIDER_EVENT_DAYS',
      since: providerEvents.receivedAt,
    }),
    purged({
      job: 'change-quotes.purge',
      cron: '57 3 * * *',
      setting: 'PROVIDER_OPERATION_DAYS',
      since: changeQuotes.createdAt,
      // What was used says what was shown, as long as there is a question about it.
      where: isNull(changeQuotes.operationId),
    }),
    purged({
      job: 'transfer-codes.purge',
      cron: '2 4 * * *',
      setting: 'IDEMPOTENCY_KEY_DAYS',
      since: transferCodes.sentAt,
    }),
    {
      job: 'archives.purge',
      cron: '12 * * * *',
      settings: ['ARCHIVE_HOURS'],
      run: () => purge(db, archives, isOver(wallClock())),
    },
    purged({ job: 'events.purge', cron: '47 3 * * *', setting: 'EVENT_DAYS', since: events.createdAt }),
  ]
}
