import { join } from 'node:path'
import { migrate, openDatabase } from '@atrium/server-kit/database.ts'
import { startJobs } from '@atrium/server-kit/jobs.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { runProgram } from '@atrium/server-kit/run.ts'
import { createApp } from './app.ts'
import { readAccountConfig, webFolder } from './config.ts'
import type { Deps } from './deps.ts'
import { sessionJobs } from './features/session/session.jobs.ts'
import { ticketValidator } from './outside/cas.ts'
import { pagesFrom } from './page/pages.ts'

await runProgram(async () => {
  const config = readAccountConfig(process.env)
  const logger = newLogger('account-server', config.LOG_LEVEL)
  await migrate(config.DATABASE_URL, join(import.meta.dirname, '../migrations'), 'account')

  const db = openDatabase({ url: config.DATABASE_URL, size: config.DATABASE_POOL, applicationName: 'account-server' })
  const deps: Deps = {
    config,
    db,
    logger,
    clock: () => new Date(),
    validateTicket: ticketValidator(`${config.SSO_URL}${config.CAS_PATH}`),
    pages: await pagesFrom({ folder: webFolder, devUrl: config.WEB_DEV_URL }),
  }
  const { app, health, metrics } = await createApp(deps)

  const jobs =
    config.ATRIUM_ROLE === 'web'
      ? undefined
      : await startJobs({ databaseUrl: config.DATABASE_URL, schema: 'account_jobs', logger })
  if (jobs) await sessionJobs(jobs, deps)

  const metricsServer =
    config.ATRIUM_METRICS_PORT && (await metrics.listen(config.ATRIUM_METRICS_PORT, config.ATRIUM_HOST))
  if (config.ATRIUM_ROLE !== 'worker') await app.listen({ port: config.ATRIUM_PORT, host: config.ATRIUM_HOST })
  logger.info({ port: config.ATRIUM_PORT, role: config.ATRIUM_ROLE }, 'started')

  return {
    logger,
    async stop() {
      health.stopping()
      await app.close()
      await jobs?.stop()
      if (metricsServer) await metricsServer.close()
      await db.$client.end()
    },
  }
})
