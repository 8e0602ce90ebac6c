import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '@atrium/server-kit/config.ts'
import { migrate, openDatabase } from '@atrium/server-kit/database.ts'
import { startJobs } from '@atrium/server-kit/jobs.ts'
import { listen } from '@atrium/server-kit/listen.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { newMailer } from '@atrium/server-kit/mail.ts'
import { newMetrics } from '@atrium/server-kit/metrics.ts'
import { runProgram } from '@atrium/server-kit/run.ts'
import { namingMigration } from '@atrium/server-kit/start-errors.ts'
import { warnOfSuspiciousSettings } from '@atrium/server-kit/suspicious-settings.ts'
import { createRemoteJWKSet } from 'jose'
import { createApp, startWork } from './app.ts'
import { readSsoConfig, type SsoConfig, SsoSettings } from './config.ts'
import { migrationsFolder, migrationsSchema } from './db/migrations.ts'
import type { Deps } from './deps.ts'
import { newAccounts } from './features/accounts/accounts.auth.ts'
import { newHashing } from './features/accounts/hashing.ts'
import { delaySteps, newDelays } from './features/delays/delays.writes.ts'
import { newProviders } from './features/providers/providers.ts'
import { newRefusals } from './features/refusals/refusals.writes.ts'
import { newSecrets } from './secrets.ts'

const webFolder = join(import.meta.dirname, '../dist/web')

await runProgram(async () => {
  const config = readSsoConfig(process.env)
  const logger = newLogger('sso', config.LOG_LEVEL)
  warnOfSuspiciousSettings(logger, process.env, Object.keys(SsoSettings.shape))
  const template = await readFile(join(webFolder, 'index.html'), 'utf8').catch(() => {
    throw new ConfigError(['The pages of the single sign-on are not built yet. Run: npm run build'])
  })

  await namingMigration('sso', migrate(config.DATABASE_URL, migrationsFolder, migrationsSchema))
  const metrics = newMetrics()
  const db = openDatabase({
    url: config.DATABASE_URL,
    size: config.DATABASE_POOL,
    applicationName: 'atrium-sso',
  })
  const jobs = await startJobs({ databaseUrl: config.DATABASE_URL, schema: 'sso_jobs', logger, metrics })
  const deps = await assemble(config, { db, jobs, logger })
  const app = await createApp({
    metrics,
    deps,
    logger,
    trustedProxies: config.TRUSTED_PROXIES,
    requestsPerMinute: config.REQUESTS_PER_MINUTE,
    web: { template, folder: webFolder },
  })

  await startWork(deps, newMailer(config.SMTP_URL, config.MAIL_FROM))
  const metricsPort = config.ATRIUM_SSO_METRICS_PORT
  const metricsApp = metricsPort ? await metrics.listen(metricsPort, config.ATRIUM_HOST) : undefined
  await listen(app, { port: config.ATRIUM_SSO_PORT, host: config.ATRIUM_HOST })
  logger.info({ url: config.SSO_URL }, 'single sign-on ready')

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

async function assemble(config: SsoConfig, { db, jobs, logger }: Pick<Deps, 'db' | 'jobs' | 'logger'>): Promise<Deps> {
  const { SSO_URL: publicUrl, SSO_SECRET: secret } = config
  const hashing = newHashing()
  const secrets = newSecrets(secret)
  const clock = () => new Date()
  return {
    config,
    db,
    jobs,
    logger,
    hashing,
    accounts: await newAccounts({ db, hashing, publicUrl, secret }),
    delays: newDelays(db, delaySteps(config.SIGN_INS_PER_ADDRESS)),
    providers: newProviders(config.PROVIDERS),
    refusals: newRefusals({ db, logger, secrets, clock }),
    secrets,
    accountKeys: createRemoteJWKSet(new URL(config.ACCOUNT_KEYS_URL), { timeoutDuration: 10_000 }),
    clock,
  }
}
