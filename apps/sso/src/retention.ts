import { blank, purge } from '@atrium/server-kit/database.ts'
import { daysBefore, type Retention } from '@atrium/server-kit/retention.ts'
import { lt, lte } from 'drizzle-orm'
import type { Deps } from './deps.ts'
import { verifications } from './features/accounts/accounts.tables.ts'
import { activity } from './features/activity/activity.tables.ts'
import { cloudTicketRequests } from './features/cloud-tickets/cloud-tickets.tables.ts'
import { answeredResets } from './features/password/password.tables.ts'
import { emailCodes, popupSessions } from './features/popups/popups.tables.ts'
import { providerFlows } from './features/providers/providers.tables.ts'
import { pendingIdentities } from './features/session/pending-identities.tables.ts'
import { signUps } from './features/sign-up/sign-up.tables.ts'
import { sweepTickets } from './features/tickets/tickets.writes.ts'

/** Longer than the job is retried. */
const answeredResetDays = 7

/**
 * What is stored for a limited time, and for how long. Sessions are ended by `session-sweep`, which notifies services;
 * counts of wrong passwords and emails expire on their own.
 */
export function retention({ db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>): readonly Retention[] {
  const before = (days: number) => daysBefore(clock(), days)
  return [
    {
      job: 'activity.purge',
      cron: '22 3 * * *',
      settings: ['ACTIVITY_DAYS'],
      run: () => purge(db, activity, lt(activity.at, before(config.ACTIVITY_DAYS))),
    },
    {
      job: 'activity-addresses.blank',
      cron: '27 3 * * *',
      settings: ['ACTIVITY_ADDRESS_DAYS'],
      run: () => blank(db, activity.address, lt(activity.at, before(config.ACTIVITY_ADDRESS_DAYS))),
    },
    // The others have lifetimes of the protocol, not of the vendor: a ticket 30 seconds, a link an hour.
    {
      job: 'ticket-sweep',
      cron: '41 * * * *',
      settings: [],
      async run() {
        await sweepTickets({ db, clock })
        await purge(db, cloudTicketRequests, lte(cloudTicketRequests.expiresAt, clock()))
      },
    },
    {
      job: 'sign-up-sweep',
      cron: '17 * * * *',
      settings: [],
      run: () => purge(db, signUps, lte(signUps.expiresAt, clock())),
    },
    {
      job: 'password-sweep',
      cron: '23 * * * *',
      settings: [],
      async run() {
        await purge(db, verifications, lte(verifications.expiresAt, clock()))
        await purge(db, answeredResets, lte(answeredResets.answeredAt, before(answeredResetDays)))
        await purge(db, popupSessions, lte(popupSessions.expiresAt, clock()))
        await purge(db, emailCodes, lte(emailCodes.expiresAt, clock()))
      },
    },
    {
      job: 'provider-sweep',
      cron: '37 * * * *',
      settings: [],
      async run() {
        await purge(db, providerFlows, lte(providerFlows.expiresAt, clock()))
        await purge(db, pendingIdentities, lte(pendingIdentities.expiresAt, clock()))
      },
    },
  ]
}
