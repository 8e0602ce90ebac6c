import type { Tx } from '@atrium/server-kit/database.ts'
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { rateLimits } from '../../db/rate-limits.tables.ts'
import { accounts, sessions, users, verifications } from '../accounts/accounts.tables.ts'
import { activity } from '../activity/activity.tables.ts'
import { cloudTicketRequests } from '../cloud-tickets/cloud-tickets.tables.ts'
import { answeredResets } from '../password/password.tables.ts'
import { emailCodes, popupSessions } from '../popups/popups.tables.ts'
import { providerFlows } from '../providers/providers.tables.ts'
import { pendingIdentities } from '../session/pending-identities.tables.ts'
import { signUps } from '../sign-up/sign-up.tables.ts'
import { tickets } from '../tickets/tickets.tables.ts'

/** Whom an erasure or an export is about. */
export interface AccountHolder {
  /** Null: nobody has an account with the address, but a sign-up may have it. */
  userId: string | null
  /** Lower case. */
  email: string
}

interface PersonalTable {
  table: PgTable
  /** The field of an export. */
  noun: string
  rows(holder: AccountHolder): SQL
  /** Of these, what an export shows, if not all. */
  exported?(holder: AccountHolder): SQL
  /** Columns that an export leaves out: passwords, tokens, hashes. */
  withheld: readonly string[]
  /** What stays of the rows; otherwise they are deleted. */
  blank?: Readonly<Record<string, unknown>>
}

const hashesOfTickets = ['hash', 'sealed']

/** Every table with personal data, in the order of an erasure: the account itself last. */
export const personalTables: readonly PersonalTable[] = [
  {
    table: activity,
    noun: 'activity',
    rows: ({ userId }) => sql`${activity.userId} = ${userId}`,
    withheld: ['requestId'],
    blank: { details: {}, address: null },
  },
  {
    table: tickets,
    noun: 'tickets',
    rows: ({ userId }) =>
      sql`${tickets.sessionId} in (select s.id from ${sessions} s where s.user_id = ${userId}::text)`,
    withheld: [...hashesOfTickets, 'sessionId'],
  },
  {
    table: sessions,
    noun: 'sessions',
    rows: ({ userId }) => sql`${sessions.userId} = ${userId}`,
    withheld: ['token', 'browser'],
  },
  {
    table: verifications,
    noun: 'passwordLinks',
    rows: ({ userId }) => sql`${verifications.value} = ${userId}`,
    withheld: ['identifier', 'value'],
  },
  {
    table: popupSessions,
    noun: 'popups',
    rows: ({ userId }) => sql`${popupSessions.userId} = ${userId}`,
    withheld: ['hash', 'tokenId'],
  },
  {
    table: emailCodes,
    noun: 'emailCodes',
    rows: ({ userId }) => sql`${emailCodes.userId} = ${userId}`,
    withheld: ['hash'],
  },
  {
    table: providerFlows,
    noun: 'signInsAtProviders',
    rows: ({ userId }) => sql`${providerFlows.userId} = ${userId}`,
    withheld: ['stateHash', 'browserHash', 'passwordFingerprint', 'nonce', 'sealedVerifier'],
  },
  {
    table: pendingIdentities,
    noun: 'unconfirmedIdentities',
    rows: ({ email }) =>
      sql`(lower(${pendingIdentities.email}) = ${email} or lower(${pendingIdentities.codeEmail}) = ${email})`,
    // Anybody may type the address, or claim it at a provider that does not confirm it.
    exported: ({ email }) => sql`(lower(${pendingIdentities.email}) = ${email} and ${pendingIdentities.emailVerified})`,
    withheld: ['hash', 'browserHash', 'codeHash'],
  },
  {
    table: signUps,
    noun: 'signUps',
    rows: ({ email }) => sql`${signUps.email} = ${email}`,
    withheld: ['passwordHash', 'tokenHash'],
  },
  {
    table: accounts,
    noun: 'linkedAccounts',
    rows: ({ userId }) => sql`${accounts.userId} = ${userId}`,
    withheld: ['password', 'accessToken', 'refreshToken', 'idToken'],
  },
  { table: users, noun: 'account', rows: ({ userId }) => sql`${users.id} = ${userId}`, withheld: [] },
]

/** Every other table, and why it has no personal data. */
export const impersonalTables: ReadonlyMap<PgTable, string> = new Map<PgTable, string>([
  [answeredResets, 'ids of jobs, deleted after 7 days'],
  [cloudTicketRequests, 'ids of requests, deleted after minutes'],
  [rateLimits, 'counts by hashes, deleted an hour after they end'],
])

export function countRows(tx: Tx, { table, rows }: PersonalTable, holder: AccountHolder): Promise<number> {
  return tx.$count(table, rows(holder))
}

/** Deletes them, or blanks them. */
export async function eraseRows(tx: Tx, { table, rows, blank }: PersonalTable, holder: AccountHolder): Promise<void> {
  const change = blank ? tx.update(table).set(blank) : tx.delete(table)
  await change.where(rows(holder))
}

export function readRows(tx: Tx, { table, rows, exported = rows, withheld }: PersonalTable, holder: AccountHolder) {
  const shown = Object.fromEntries(Object.entries(getTableColumns(table)).filter(([name]) => !withheld.includes(name)))
  return tx.select(shown).from(table).where(exported(holder))
}
