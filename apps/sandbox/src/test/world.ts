import { openDatabase } from '@atrium/server-kit/database.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { newMailer } from '@atrium/server-kit/mail.ts'
import { newTestDatabase } from '@atrium/server-kit/test-database.ts'
import { sandboxApp } from '../app.ts'
import { migrateSandbox } from '../db/migrations.ts'
import { listenForMail } from '../features/mail/mail.smtp.ts'

export const origin = 'http://localhost:3002'

/** A separate sandbox with a mail port and a sender, removed on disposal. */
export async function newWorld(clock: () => Date = () => new Date(), ssoUrl = 'http://localhost:3001') {
  const database = await newTestDatabase({ template: 'atrium_test_sandbox', migrate: migrateSandbox })
  const logger = newLogger('sandbox', 'silent')
  const db = openDatabase({ url: database.url, size: 4, applicationName: 'test', connectMs: 10_000 })
  const config = {
    SANDBOX_URL: origin,
    PUBLIC_URL: 'http://localhost:3000',
    SSO_URL: ssoUrl,
    BRAND_NAME: 'Folio',
    SANDBOX_MOVES_ACCOUNT_CLOCK: false,
    SHOP_SIGNING_SECRET: ['a secret of the shop for tests, which nobody else has'],
  }
  const app = await sandboxApp({ config, db, clock, logger })
  const smtp = await listenForMail({ db, clock, logger, port: 0 })

  return {
    app,
    db,
    smtpPort: smtp.port,
    send: newMailer(`smtp://localhost:${smtp.port}`, 'Folio <no-reply@folio.test>'),
    async page(url: string) {
      const reply = await app.inject({ url })
      return { status: reply.statusCode, text: reply.body, headers: reply.headers }
    },
    async messages(to: string) {
      const reply = await app.inject({ url: '/mail/api/messages', query: { to } })
      return reply.json()
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await smtp.close()
      await db.$client.end()
      await database[Symbol.asyncDispose]()
    },
  }
}
