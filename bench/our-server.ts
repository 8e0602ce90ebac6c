import { join } from 'node:path'
import { Readable } from 'node:stream'
import { migrate, openBatchDatabase, openDatabase } from '@atrium/server-kit/database.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { createApp } from '../apps/account-server/src/app.ts'
import { readAccountConfig } from '../apps/account-server/src/config.ts'
import type { Deps } from '../apps/account-server/src/deps.ts'
import { importFile } from '../apps/account-server/src/features/imports/import-file.ts'
import { newRenderer } from '../apps/account-server/src/features/orders/invoice-pdf/renderer.ts'
import { hashOf, newToken } from '../apps/account-server/src/features/session/session.rules.ts'
import { sessions } from '../apps/account-server/src/features/session/session.tables.ts'
import { cardProvider } from '../apps/account-server/src/outside/card-provider/card-provider.ts'
import { paypalProvider } from '../apps/account-server/src/outside/paypal/paypal.ts'
import { ssoAccounts } from '../apps/account-server/src/outside/sso.ts'
import { folioRecords } from '../demo/folio.ts'
import { largeTeamRecords } from './large-team.ts'
import { manySubscriptions } from './many-subscriptions.ts'

/** Starts our server on a database with the demo vendor. */
export async function ourServer(databaseUrl: string) {
  await migrate(databaseUrl, join(import.meta.dirname, '../apps/account-server/migrations'), 'account')
  await importDemo(databaseUrl)

  const startedAt = performance.now()
  const unlimited = '1000000000'
  const config = readAccountConfig({
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'silent',
    REQUESTS_PER_MINUTE: unlimited,
    ACTIVATIONS_PER_MINUTE: unlimited,
    ACTIVATIONS_PER_MINUTE_AND_KEY: unlimited,
  })
  const db = openDatabase({ url: databaseUrl, size: 10, applicationName: 'bench' })
  const deps: Deps = {
    config,
    db,
    // One line per request, as in production, without the cost of a terminal or a disk.
    logger: newLogger('bench', 'info', '/dev/null'),
    jobs: { send: async () => undefined, sendLater: async () => undefined },
    clock: () => new Date(),
    wallClock: () => new Date(),
    // One customer is measured.
    limitCalls: async () => undefined,
    validateTicket: async () => ({ failure: 'refused', detail: 'NONE' }),
    fetchCloudTicket: async () => ({ failure: 'refused', detail: 'NONE' }),
    fetchInvoiceFile: async () => undefined,
    renderInvoice: newRenderer(),
    cards: cardProvider(config),
    paypal: paypalProvider(config),
    sso: { ...ssoAccounts(config.SSO_URL), ...signOn },
    pages: { send: async (reply) => reply.send('') },
  }
  const app = await createApp(deps)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })

  return {
    app,
    db,
    deps,
    url,
    databaseUrl,
    milliseconds: performance.now() - startedAt,
    /** Signs in a customer of the demo vendor. @returns the cookie */
    async signIn(name: string): Promise<string> {
      const token = newToken()
      const now = new Date()
      const find = 'select id from account.members where email = $1'
      const { rows } = await db.$client.query<{ id: string }>(find, [`${name}@folio.test`])
      const [member] = rows
      if (!member) throw new Error(`${name} is not there`)
      const secrets = { tokenHash: hashOf(token), ticketHash: hashOf(token) }
      await db
        .insert(sessions)
        .values({ ...secrets, memberId: member.id, subject: 'bench', createdAt: now, seenAt: now })
      return `atrium_session=${token}`
    },
  }
}

/** The single sign-on, answering at once: only our share is measured. */
const signOn = {
  sessions: async () => [],
  activity: async () =>
    Array.from({ length: 50 }, (_, day) => ({
      id: `sso-${day}`,
      at: new Date(Date.now() - day * 86_400_000).toISOString(),
      who: 'member' as const,
      action: 'session.started' as const,
      subject: '',
      address: '192.0.2.1',
    })),
}

/** The activity of the largest customer. */
const bulksActivity = `
  insert into account.activity (at, member_id, actor, actor_kind, action, target, details, address)
  select now() - make_interval(hours => i), id, id::text, 'member', 'device.deactivated', 'd' || i, '{"pcName": "HOST"}', '192.0.2.1'
  from account.members, generate_series(1, 5000) i where email = 'bulk@folio.test'`

async function importDemo(databaseUrl: string): Promise<void> {
  const db = openBatchDatabase({ url: databaseUrl, applicationName: 'bench' })
  const today = new Date()
  const records = [...folioRecords(today), ...manySubscriptions(today), ...largeTeamRecords(today)]
  const lines = Readable.from(records).map((entry) => `${JSON.stringify(entry)}\n`)
  const { refused } = await importFile(db, {
    input: lines,
    fileName: 'folio.ndjson',
    now: new Date(),
    dryRun: false,
    onRefused: () => undefined,
  })
  if (refused > 0) throw new Error(`${refused} lines of the demo vendor were refused`)
  await db.execute(bulksActivity)
  await db.execute('vacuum analyze')
  await db.$client.end()
}
