import {
  Address,
  BaseAddress,
  ConfigError,
  DatabaseUrl,
  isOnThisMachine,
  isPublic,
  List,
  Mailbox,
  Origin,
  Port,
  Proxies,
  readConfig,
  SmtpUrl,
} from '@atrium/server-kit/config.ts'
import { type Fault, faultSentences, ownAddressFaults, publicFaults } from '@atrium/server-kit/public-install.ts'
import { z } from 'zod'
import { providerFaults, providerSettings, providerSetups } from './provider-settings.ts'

const Minutes = z.coerce.number('must be a number of minutes').int().min(1)

const Days = z.coerce.number('must be a number of days').int().min(1)

/** Every setting of sso, with its description in `.env.example`. */
export const SsoSettings = z.object({
  ATRIUM_SSO_PORT: Port.default(3001).describe('Port of the single sign-on host'),
  ATRIUM_HOST: z.string().default('localhost').describe('Interface it listens on; 0.0.0.0 in a container'),
  SSO_URL: Origin.optional().describe('Public address of the single sign-on host; default http://localhost:<port>'),
  DATABASE_URL: DatabaseUrl.describe('PostgreSQL 15 or later; npm start brings its own when not set'),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(20).describe('Connections of the web pool'),
  REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(1200).describe('Requests a minute from one address'),
  SIGN_INS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(5)
    .default(300)
    .describe(
      'Tries to sign in, from browsers that the account does not know, in ten minutes from one network; a fifth of them in a minute',
    ),
  ACCOUNT_URL: Origin.default('http://localhost:3000').describe('Public address of the account page'),
  ACCOUNT_KEYS_URL: Address.optional().describe(
    'Where the account page publishes its keys, as this host reaches it; default ACCOUNT_URL/.well-known/jwks.json',
  ),
  SSO_SERVICES: List.pipe(z.array(Address).min(1))
    .optional()
    .describe('Services that may ask for tickets: addresses, comma-separated; each allows what lies below it'),
  SSO_CLOUD_SERVICES: List.pipe(z.array(Address))
    .default([])
    .describe(
      'Cloud services, by their exact CLOUD_URL_… of account-server, for which it may request tickets; they are services too',
    ),
  SSO_LOOPBACK_SERVICES: z
    .stringbool()
    .default(true)
    .describe('Whether desktop products may sign in, at http://127.0.0.1:<port>/ of the customer’s own machine'),
  SSO_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe('Key of signatures and encryption, the same in every copy; needed unless SSO_URL is on localhost'),
  SSO_SESSION_IDLE_MINUTES: Minutes.default(480).describe('Minutes without use after which a sign-on ends'),
  SSO_SESSION_MINUTES: Minutes.default(720).describe('Minutes after which a sign-on ends in any case'),
  ACTIVITY_DAYS: Days.default(1095).describe('Days for which activity is kept (who did what, and when)'),
  ACTIVITY_ADDRESS_DAYS: Days.default(90).describe('Days after which the IP address of an activity is blanked'),
  ...providerSettings,
  SMTP_URL: SmtpUrl.default('smtp://localhost:3025').describe('Mail server: smtp://user:password@host:port'),
  MAIL_FROM: Mailbox.default('Folio <no-reply@folio.test>').describe('Sender of mails'),
  BRAND_NAME: z.string().max(60).default('Folio').describe("The vendor's name on pages and in mails"),
  BRAND_COLOR: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must look like #3b51c4')
    .default('#3b51c4')
    .describe("The vendor's color"),
  SITE_URL: BaseAddress.default('http://localhost:3002/site').describe("The vendor's own site"),
  TRUSTED_PROXIES: Proxies.default([]).describe(
    'Addresses of proxies whose X-Forwarded-* is believed, comma-separated',
  ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Log level'),
  ATRIUM_SSO_METRICS_PORT: Port.optional().describe('Port for Prometheus metrics; not set: none'),
})

const localSecret = 'only-for-plain-http-on-this-machine-0000'

export type SsoConfig = ReturnType<typeof readSsoConfig>

/** Reads every setting of the program, once. @throws ConfigError with a sentence for each that is missing or wrong. */
export function readSsoConfig(env: NodeJS.ProcessEnv) {
  const given = readConfig(SsoSettings, env)
  const publicUrl = given.SSO_URL ?? `http://localhost:${given.ATRIUM_SSO_PORT}`
  const faults: Fault[] = [
    ...(given.SSO_SECRET || isOnThisMachine(publicUrl)
      ? []
      : [['SSO_SECRET', 'is not set, but is needed when SSO_URL is not on localhost'] as const]),
    ...providerFaults(env),
    ...(isPublic(publicUrl) ? productionFaults(given, env) : ownAddressFaults(env, 'SSO_URL', 'ACCOUNT_URL')),
  ]
  if (faults.length > 0) throw new ConfigError(faultSentences(faults))

  return {
    ...given,
    SSO_URL: publicUrl,
    SSO_SECRET: given.SSO_SECRET ?? localSecret,
    SSO_SERVICES: [...(given.SSO_SERVICES ?? [given.ACCOUNT_URL]), ...given.SSO_CLOUD_SERVICES],
    PROVIDERS: providerSetups(given),
    ACCOUNT_KEYS_URL: given.ACCOUNT_KEYS_URL ?? `${given.ACCOUNT_URL}/.well-known/jwks.json`,
  }
}

/** Settings whose defaults are the demo vendor's, which a real vendor's customers must not see. */
export const vendorSettings = ['ACCOUNT_URL', 'SMTP_URL', 'MAIL_FROM', 'BRAND_NAME', 'SITE_URL'] as const

/** With a public address, customers cannot be redirected to localhost, and mail needs a real server. */
function productionFaults(
  { ACCOUNT_URL, SITE_URL, SSO_CLOUD_SERVICES }: z.output<typeof SsoSettings>,
  env: NodeJS.ProcessEnv,
): Fault[] {
  return publicFaults(env, {
    own: 'SSO_URL',
    vendor: vendorSettings,
    addresses: { ACCOUNT_URL, SITE_URL, SSO_CLOUD_SERVICES },
    names: Object.keys(SsoSettings.shape),
  })
}
