import { openDatabase } from '@atrium/server-kit/database.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { runProgram } from '@atrium/server-kit/run.ts'
import { namingMigration } from '@atrium/server-kit/start-errors.ts'
import { sandboxApp } from './app.ts'
import { readSandboxConfig } from './config.ts'
import { migrateSandbox } from './db/migrations.ts'
import { listenForMail } from './features/mail/mail.smtp.ts'

await runProgram(async () => {
  const config = readSandboxConfig(process.env)
  const logger = newLogger('sandbox', config.LOG_LEVEL)

  await namingMigration('sandbox', migrateSandbox(config.DATABASE_URL))
  // On a busy machine what stands in for a provider is slow, and does not fail.
  const db = openDatabase({ url: config.DATABASE_URL, size: 10, applicationName: 'atrium-sandbox', connectMs: 5000 })
  const clock = () => new Date()
  const app = await sandboxApp({ config, db, clock, logger })

  const smtp = await listenForMail({ db, clock, logger, port: config.SANDBOX_SMTP_PORT })
  await app.listen({ port: config.ATRIUM_SANDBOX_PORT, host: 'localhost' })
  logger.info({ address: config.SANDBOX_URL, smtpPort: config.SANDBOX_SMTP_PORT }, 'listening')

  return {
    logger,
    async stop() {
      await Promise.all([app.close(), smtp.close()])
      await db.$client.end()
    },
  }
})
