import { join } from 'node:path'
import { migrate, openDatabase } from '@atrium/server-kit/database.ts'
import { startJobs } from '@atrium/server-kit/jobs.ts'
import { listen } from '@atrium/server-kit/listen.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { newMailer } from '@atrium/server-kit/mail.ts'
import { newMetrics } from '@atrium/server-kit/metrics.ts'
import { runProgram } from '@atrium/server-kit/run.ts'
import { namingMigration } from '@atrium/server-kit/start-errors.ts'
import { warnOfSuspiciousSettings } from '@atrium/server-kit/suspicious-settings.ts'
import { clockQueues, createApp, queues, startWork } from './app.ts'
import { businessClockRoutes, openBusinessClock } from './business-clock.ts'
import { callLimits } from './call-limits.ts'
import { AccountSettings, readAccountConfig, webFolder } from './config.ts'
import type { Deps } from './deps.ts'
import { newRenderer } from './features/orders/invoice-pdf/renderer.ts'
import { sendReminders } from './features/subscriptions/reminders.jobs.ts'
import { endSubscriptions } from './features/subscriptions/subscriptions.jobs.ts'
import { cardProvider } from './outside/card-provider/card-provider.ts'
import { ticketValidator } from './outside/cas.ts'
import { cloudTicketFetcher } from './outside/cloud-tickets.ts'
import { invoiceFileFetcher } from './outside/invoice-files.ts'
import { paypalProvider } from './outside/paypal/paypal.ts'
import { ssoAccounts } from './outside/sso.ts'
import { pagesFrom } from './page/pages.ts'
import { providerSources } from './page/provider-sources.ts'

await runProgram(async () => {
  const config = readAccountConfig(process.env)
  const logger = newLogger('account-server', config.LOG_LEVEL)
  warnOfSuspiciousSettings(logger, process.env, Object.keys(AccountSettings.shape))
  const migrations = join(import.meta.dirname, '../migrations')
  await namingMigration('account-server', migrate(config.DATABASE_URL, migrations, 'account'))

  const metrics = newMetrics()
  const db = openDatabase({ url: config.DATABASE_URL, size: config.DATABASE_POOL, applicationName: 'account-server' })
  const jobs = await startJobs({ databaseUrl: config.DATABASE_URL, schema: 'account_jobs', queues, logger, metrics })
  const businessClock = await openBusinessClock(db, config)
  const deps: Deps = {
    config,
    db,
    logger,
    jobs,
    clock: businessClock.now,
    wallClock: () => new Date(),
    limitCalls: callLimits(db),
    validateTicket: ticketValidator(`${config.SSO_URL}${config.CAS_PATH}`),
    fetchCloudTicket: cloudTicketFetcher(config),
    fetchInvoiceFile: invoiceFileFetcher({ hosts: config.INVOICE_HOSTS, providerUrl: config.STRIPE_API_URL }),
    renderInvoice: newRenderer(),
    cards: cardProvider(config),
    paypal: paypalProvider(config),
    sso: ssoAccounts(config.SSO_URL),
    pages: await pagesFrom({ folder: webFolder, devUrl: config.WEB_DEV_URL, sources: providerSources(config) }),
  }
  const app = await createApp(deps, { metrics })
  if (config.BUSINESS_CLOCK === 'movable') {
    const passTime = async () => {
      await endSubscriptions(deps)
      await sendReminders(deps)
    }
    businessClockRoutes(app, { clock: businessClock, jobs, passTime, queues: clockQueues })
  }

  if (config.ATRIUM_ROLE !== 'web') await startWork(jobs, deps, newMailer(config.SMTP_URL, config.MAIL_FROM))

  const metricsServer =
    config.ATRIUM_METRICS_PORT && (await metrics.listen(config.ATRIUM_METRICS_PORT, config.ATRIUM_HOST))
  // A worker serves no requests.
  const port = config.ATRIUM_ROLE === 'worker' ? undefined : config.ATRIUM_PORT
  if (port) await listen(app, { port, host: config.ATRIUM_HOST })
  logger.info({ port, role: config.ATRIUM_ROLE }, 'started')

  return {
    logger,
    async stop() {
      await app.close()
      await jobs.stop()
      if (metricsServer) await metricsServer.close()
      await db.$client.end()
    },
  }
})
