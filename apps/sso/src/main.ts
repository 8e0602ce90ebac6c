import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '@atrium/server-kit/config.ts'
import { migrate, openDatabase } from '@atrium/server-kit/database.ts'
import { startJobs } from '@atrium/server-kit/jobs.ts'
import { listen } from '@atrium/server-kit/listen.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { newMailer } from '@atrium/server-kit/mail.ts'
import { newMetrics } from '@atrium/server-kit/metrics.ts'
import { warnOfMisspelledSettings } from '@atrium/server-kit/misspelled-settings.ts'
import { runProgram } from '@atrium/server-kit/run.ts'
import { namingMigration } from '@atrium/server-kit/start-errors.ts'
import { createRemoteJWKSet } from 'jose'
import { createApp, startWork } from './app.ts'
import { readSettings, SsoEnvironment } from './config.ts'
import { migrationsFolder, migrationsSchema } from './db/migrations.ts'
import type { Deps } from './deps.ts'
import { newAccounts } from './features/accounts/accounts.auth.ts'
import { newHashing } from './features/accounts/hashing.ts'
import { newDelays } from './features/delays/delays.writes.ts'
import { newSecrets } from './secrets.ts'

const webFolder = join(import.meta.dirname, '../dist/web')

await runProgram(async () => {
  const settings = readSettings(process.env)
  const logger = newLogger('sso', settings.LOG_LEVEL)
  warnOfMisspelledSettings(logger, process.env, Object.keys(SsoEnvironment.shape))
  const template = await readFile(join(webFolder, 'index.html'), 'utf8').catch(() => {
    throw new ConfigError(['The pages of the single sign-on are not built yet. Run: npm run build'])
  })

  await namingMigration('sso', migrate(settings.DATABASE_URL, migrationsFolder, migrationsSchema))
  const metrics = newMetrics()
  const db = openDatabase({
    url: settings.DATABASE_URL,
    size: settings.DATABASE_POOL,
    applicationName: 'atrium-sso',
  })
  const jobs = await startJobs({ databaseUrl: settings.DATABASE_URL, schema: 'sso_jobs', logger, metrics })
  const deps = await assemble(settings, { db, jobs, logger })
  const app = await createApp({
    metrics,
    deps,
    logger,
    trustedProxies: settings.TRUSTED_PROXIES,
    requestsPerMinute: settings.REQUESTS_PER_MINUTE,
    web: { template, folder: webFolder },
  })

  await startWork(deps, newMailer(settings.SMTP_URL, settings.MAIL_FROM))
  const metricsPort = settings.ATRIUM_SSO_METRICS_PORT
  const metricsApp = metricsPort ? await metrics.listen(metricsPort, settings.ATRIUM_HOST) : undefined
  await listen(app, { port: settings.ATRIUM_SSO_PORT, host: settings.ATRIUM_HOST })
  logger.info({ url: settings.publicUrl }, 'single sign-on ready')

  return {
    logger,
    async stop() {
      await app.close()
      await metricsApp?.close()
      await jobs.stop()
      await db.$client.end()
    },
  }
})

async function assemble(
  settings: ReturnType<typeof readSettings>,
  { db, jobs, logger }: Pick<Deps, 'db' | 'jobs' | 'logger'>,
): Promise<Deps> {
  const { publicUrl, secret } = settings
  const hashing = newHashing()
  return {
    db,
    jobs,
    logger,
    hashing,
    accounts: await newAccounts({ db, hashing, publicUrl, secret }),
    delays: newDelays(db),
    secrets: newSecrets(secret),
    accountKeys: createRemoteJWKSet(new URL(settings.accountKeysUrl), { timeoutDuration: 10_000 }),
    clock: () => new Date(),
    settings: {
      publicUrl,
      accountUrl: settings.ACCOUNT_URL,
      siteUrl: settings.SITE_URL,
      brandName: settings.BRAND_NAME,
      brandColor: settings.BRAND_COLOR,
      services: settings.services,
      loopbackServices: settings.SSO_LOOPBACK_SERVICES,
      session: { idle: settings.SSO_SESSION_IDLE_MINUTES, absolute: settings.SSO_SESSION_MINUTES },
      retention: { activityDays: settings.ACTIVITY_DAYS, activityAddressDays: settings.ACTIVITY_ADDRESS_DAYS },
    },
  }
}
