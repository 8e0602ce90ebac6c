import { resolve } from 'node:path'
import { EmailAddress } from '@atrium/contract/email.ts'
import {
  Address,
  BaseAddress,
  ConfigError,
  DatabaseUrl,
  Hosts,
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
import { ErasureSecret } from '@atrium/server-kit/erased-addresses.ts'
import { z } from 'zod'
import { providerSettings } from './config.providers.ts'
import { configFaults } from './config.rules.ts'

const Days = z.coerce.number('must be a number of days').int().min(1)

/** Customers are redirected there with a ticket, so it must not be readable on the way. */
const CloudUrl = BaseAddress.refine(
  (url) => isPublic(url) || isOnThisMachine(url),
  'must be an https address, unless it is on this machine',
).optional()

/** Every setting of account-server, with its description for `.env.example`. */
export const AccountSettings = z.object({
  ATRIUM_PORT: Port.default(3000).describe('Port of account-server'),
  ATRIUM_HOST: z.string().default('localhost').describe('Interface it listens on; 0.0.0.0 in a container'),
  ATRIUM_METRICS_PORT: Port.optional().describe('Port for Prometheus (/metrics); not set: none'),
  ATRIUM_ROLE: z.enum(['web', 'worker', 'all']).default('all').describe('web: requests, worker: jobs, all: both'),
  DATABASE_URL: DatabaseUrl.describe('PostgreSQL 15 or later; npm start brings its own when not set'),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(20).describe('Connections of the web pool'),
  PUBLIC_URL: Origin.optional().describe('Where customers reach account-server; default http://localhost:<port>'),
  SSO_URL: BaseAddress.default('http://localhost:3001').describe(
    'The single sign-on host, or another CAS 3.0 server (without /cas)',
  ),
  CAS_PATH: z
    .string()
    .regex(/^\/[\w/-]*$/, 'must be a path such as /cas')
    .transform((path) => path.replace(/\/+$/, ''))
    .default('/cas')
    .describe('Path of the CAS protocol at the single sign-on host'),
  PASSWORD_URL: Address.optional().describe(
    'Where customers change their password at a CAS server of your own; not set: the popup at SSO_URL/reset-password',
  ),
  CAS_EMAIL_VERIFIED: z
    .string()
    .regex(/^(always|never|attribute:[\w.-]+)$/, 'must be always, never or attribute:<name>')
    .default('attribute:emailVerified')
    .describe('How to know that the CAS server verified an e-mail address'),
  SUPPORT_ROLE: z
    .string()
    .regex(/^[\w.-]+:[^\s:][^\n\r]{0,250}$/, 'must be <attribute>:<value>, such as roles:support')
    .optional()
    .describe(
      'The attribute of the CAS server, and its value, that make an account a support agent’s: roles:support at our own; not set: nobody is one',
    ),
  SITE_URL: BaseAddress.default('http://localhost:3002/site').describe(
    'The vendor’s site: base of every outbound path',
  ),
  FEEDBACK_URL: Address.default('http://localhost:3002/support/feedback').describe('Where Feedback leads'),
  TICKETS_URL: Address.default('http://localhost:3002/support/tickets').describe('Where View Tickets leads'),
  ADMIN_CONSOLE_URL: Address.default('http://localhost:3002/admin-console').describe(
    'The external admin console of licenses that have one',
  ),
  DOWNLOAD_HOSTS: Hosts.default(['downloads.folio.test']).describe(
    'Hosts to which download links may lead (https only), comma-separated; or none',
  ),
  LINK_HOSTS: Hosts.default([]).describe(
    'Hosts to which links from the vendor’s data may lead, such as where a subscription is managed (https only)',
  ),
  REDACT_PORTAL_URL: Address.optional().describe(
    'The portal of redact servers, opened with a signed token (docs/sign-on.md); not set: they are not managed from here',
  ),
  STORAGE_URL: Address.optional().describe(
    'Where storage is managed, opened with a signed token (docs/sign-on.md); not set: it is not managed from here',
  ),
  CLOUD_URL_US: CloudUrl.describe(
    'The cloud service of each data region, for which the single sign-on has tickets (SSO_CLOUD_SERVICES); not set: the region is not offered',
  ),
  CLOUD_URL_EU: CloudUrl.describe('… of the European Union'),
  CLOUD_URL_CA: CloudUrl.describe('… of Canada'),
  CLOUD_URL_AU: CloudUrl.describe('… of Australia'),
  INVOICE_HOSTS: Hosts.default([]).describe('Hosts from which invoices of imported orders are fetched (https only)'),
  SMTP_URL: SmtpUrl.default('smtp://localhost:3025').describe('Mail server: smtp://user:password@host:port'),
  MAIL_FROM: Mailbox.default('Folio <no-reply@folio.test>').describe('Sender of mails'),
  SALES_EMAIL: EmailAddress(() => 'must be an e-mail address')
    .default('sales@folio.test')
    .describe('Where requests for quotes go'),
  SELLER_NAME: z.string().max(200).default('Folio Software Inc.').describe('The vendor’s legal name, on invoices'),
  SELLER_ADDRESS: z
    .string()
    .max(500)
    .default('548 Market Street|San Francisco, CA 94104|United States')
    .describe('The vendor’s address on invoices; lines are separated by |'),
  SELLER_TAX_ID: z.string().max(100).default('').describe('The vendor’s tax number on invoices'),
  ...providerSettings,
  PAST_DUE_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(365)
    .default(21)
    .describe('Days for which a failed payment still gives access'),
  LATE_BILLING_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(14)
    .default(3)
    .describe(
      'Days for which a subscription of PayPal can be used after its paid end while PayPal has not billed it yet',
    ),
  DEVICES_PER_SEAT: z.coerce
    .number()
    .int()
    .min(1)
    .default(2)
    .describe('Devices that may be active on one seat by e-mail'),
  DEACTIVATIONS_A_YEAR_AT_LEAST: z.coerce
    .number()
    .int()
    .min(0)
    .default(3)
    .describe('Deactivations that every key has in a rolling year'),
  DEACTIVATIONS_A_YEAR_PER_SEAT: z.coerce
    .number()
    .min(0)
    .default(2)
    .describe('… or so many a seat, where that is more'),
  ACTIVATIONS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .default(300)
    .describe('Calls of the activation service a minute from one address'),
  ACTIVATIONS_PER_MINUTE_AND_KEY: z.coerce
    .number()
    .int()
    .min(1)
    .default(60)
    .describe('Activations a minute with one key'),
  DEACTIVATIONS_PER_HOUR_AND_KEY: z.coerce
    .number()
    .int()
    .min(1)
    .default(20)
    .describe('Deactivations an hour that devices on one key, or one seat, may ask for themselves'),
  INVITATIONS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(1)
    .default(500)
    .describe('Invitations an hour that the users of one subscription may send'),
  EVENT_URLS: List.pipe(z.array(Address))
    .default([])
    .describe('Where signed events are sent (docs/events.md), comma-separated'),
  EVENT_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and at least 24 bytes in base64')
    .optional()
    .describe('Signs the events; needed when EVENT_URLS is set'),
  BRAND_NAME: z.string().max(40).default('Folio').describe('The vendor’s name in the page'),
  BRAND_COLOR: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #3b51c4')
    .default('#3b51c4')
    .describe('The vendor’s color; ten shades are derived from it'),
  SESSION_IDLE_MINUTES: z.coerce
    .number()
    .positive()
    .default(30)
    .describe('A session ends after so long without a request'),
  SESSION_ABSOLUTE_HOURS: z.coerce.number().positive().default(12).describe('… and after so long in any case'),
  ARCHIVE_HOURS: z.coerce
    .number()
    .positive()
    .max(720)
    .default(24)
    .describe('Hours for which a prepared download of a customer is stored'),
  ACTIVITY_DAYS: Days.default(1095).describe('Days for which activity (who did what, and when) is stored'),
  ACTIVITY_ADDRESS_DAYS: Days.default(90).describe(
    'Days after which the IP address of an activity, or of a change at the card provider, is deleted',
  ),
  EVENT_DAYS: Days.min(3).default(30).describe('Days for which events are stored; delivery is retried for about two'),
  PROVIDER_EVENT_DAYS: Days.min(7)
    .default(30)
    .describe('Days for which the ids of the card provider’s events are known, so that none counts twice'),
  PROVIDER_OPERATION_DAYS: Days.default(30).describe('Days for which failed calls to the card provider are stored'),
  IDEMPOTENCY_KEY_DAYS: Days.default(2).describe(
    'Days for which a request that is sent again with its idempotency key happens once, and codes of transfers are stored',
  ),
  ERASURE_SECRET: ErasureSecret.describe(
    'Key of the hashes by which erased addresses are recognized: for npm run members -- erase, npm run import and npm run accounts; never changed',
  ),
  REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(1200).describe('Requests a minute from one address'),
  BUSINESS_CLOCK: z
    .enum(['real', 'movable'])
    .default('real')
    .describe('movable: a trial on one machine may move renewals and ends ahead; never in production'),
  TRUSTED_PROXIES: Proxies.default([]).describe('Addresses of proxies whose X-Forwarded-* is trusted, comma-separated'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('How much is logged'),
  WEB_DEV_URL: Address.optional().describe('npm run dev only: the Vite server that serves the page'),
})

export type AccountConfig = ReturnType<typeof readAccountConfig>

/** The folder of the built page. */
export const webFolder = resolve(import.meta.dirname, '../../account-web/dist')

/** Reads all settings. @throws ConfigError with a sentence for each that is missing or invalid */
export function readAccountConfig(env: NodeJS.ProcessEnv) {
  const settings = readConfig(AccountSettings, env)
  const faults = configFaults(settings, env)
  if (faults.length > 0) throw new ConfigError(faults)
  return { ...settings, PUBLIC_URL: settings.PUBLIC_URL ?? `http://localhost:${settings.ATRIUM_PORT}` }
}

const ofCommands = { DATABASE_URL: true, BUSINESS_CLOCK: true } as const

/** The settings of `npm run import`. */
export const ImportSettings = AccountSettings.pick({ ...ofCommands, INVOICE_HOSTS: true, ERASURE_SECRET: true })

/** The settings of `npm run sync`. */
export const SyncSettings = AccountSettings.pick({
  ...ofCommands,
  CARD_PROVIDER: true,
  STRIPE_SECRET_KEY: true,
  STRIPE_API_URL: true,
  PAYPAL: true,
  PAYPAL_CLIENT_ID: true,
  PAYPAL_CLIENT_SECRET: true,
  PAYPAL_API_URL: true,
  SHOP_SIGNING_SECRET: true,
  ...({ PAST_DUE_DAYS: true, LATE_BILLING_DAYS: true } as const),
  LOG_LEVEL: true,
})

/** The settings of `npm run members`. */
export const MembersSettings = AccountSettings.pick({ ...ofCommands, PAST_DUE_DAYS: true, ERASURE_SECRET: true })
