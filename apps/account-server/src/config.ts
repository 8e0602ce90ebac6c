import { resolve } from 'node:path'
import { Address, ConfigError, DatabaseUrl, List, Port, readConfig } from '@atrium/server-kit/config.ts'
import { z } from 'zod'

/** Signs the events of the stand-in; everybody knows it. */
const sandboxSecret = 'whsec_sandboxsandboxsandbox'

/** Every setting of account-server, with what `.env.example` says of it. */
export const AccountSettings = z.object({
  ATRIUM_PORT: Port.default(3000).describe('Port of account-server'),
  ATRIUM_HOST: z.string().default('localhost').describe('Interface it listens on; 0.0.0.0 in a container'),
  ATRIUM_METRICS_PORT: Port.optional().describe('Port for Prometheus (/metrics); not set: none'),
  ATRIUM_ROLE: z.enum(['web', 'worker', 'all']).default('all').describe('web: requests, worker: jobs, all: both'),
  DATABASE_URL: DatabaseUrl.describe('PostgreSQL 15 or later; npm start brings its own when not set'),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(20).describe('Connections of the web pool'),
  PUBLIC_URL: Address.optional().describe('Where customers reach account-server; default http://localhost:<port>'),
  SSO_URL: Address.default('http://localhost:3001').describe(
    'The single sign-on host, or another CAS 3.0 server (without /cas)',
  ),
  CAS_PATH: z
    .string()
    .regex(/^\/[\w/-]*$/, 'must be a path such as /cas')
    .default('/cas')
    .describe('Path of the CAS protocol at the single sign-on host'),
  CAS_EMAIL_VERIFIED: z
    .string()
    .regex(/^(always|never|attribute:[\w.-]+)$/, 'must be always, never or attribute:<name>')
    .default('attribute:emailVerified')
    .describe('How to know that the CAS server verified an e-mail address'),
  SITE_URL: Address.default('http://localhost:3002/site').describe('The vendor’s site: base of every outbound path'),
  FEEDBACK_URL: Address.default('http://localhost:3002/support/feedback').describe('Where Feedback leads'),
  TICKETS_URL: Address.default('http://localhost:3002/support/tickets').describe('Where View Tickets leads'),
  ADMIN_CONSOLE_URL: Address.default('http://localhost:3002/admin-console').describe(
    'The external admin console of licenses that have one',
  ),
  DOWNLOAD_HOSTS: List.default(['downloads.folio.test']).describe(
    'Hosts to which download links may lead (https only), comma-separated',
  ),
  INVOICE_HOSTS: List.default([]).describe('Hosts from which invoices of imported orders are fetched (https only)'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .default('smtp://localhost:3025')
    .describe('Mail server: smtp://user:password@host:port'),
  MAIL_FROM: z.string().default('Folio <no-reply@folio.test>').describe('Sender of mails'),
  SALES_EMAIL: z.email().default('sales@folio.test').describe('Where requests for quotes go'),
  SELLER_NAME: z.string().max(200).default('Folio Software Inc.').describe('The vendor’s legal name, on invoices'),
  SELLER_ADDRESS: z
    .string()
    .max(500)
    .default('548 Market Street|San Francisco, CA 94104|United States')
    .describe('The vendor’s address on invoices; lines are separated by |'),
  SELLER_TAX_ID: z.string().max(100).default('').describe('The vendor’s tax number on invoices'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a key such as sk_live_…')
    .default('sk_test_sandbox')
    .describe('The card provider’s secret (or restricted) key'),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_\w+$/, 'must be a key such as pk_live_…')
    .default('pk_test_sandbox')
    .describe('The card provider’s publishable key; it goes to browsers'),
  STRIPE_WEBHOOK_SECRETS: List.default([sandboxSecret]).describe(
    'Signing secrets of the webhook endpoint, comma-separated: the new one beside the old while it is rolled',
  ),
  STRIPE_API_URL: Address.default('http://localhost:3002').describe(
    'The card provider’s API; https://api.stripe.com for the real one',
  ),
  STRIPE_SCRIPT_URL: Address.default('http://localhost:3002/cards/js/endive/stripe.js').describe(
    'The card provider’s browser SDK; https://js.stripe.com/endive/stripe.js for the real one',
  ),
  CARD_ATTEMPTS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(1)
    .default(5)
    .describe('Cards that a member may try to add in an hour'),
  CARD_DECLINES_PER_HOUR: z.coerce
    .number()
    .int()
    .min(1)
    .default(3)
    .describe('Declined cards in an hour after which a member may add none for a day'),
  PAST_DUE_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(365)
    .default(21)
    .describe('Days for which a failed payment still gives access'),
  DEVICES_PER_SEAT: z.coerce
    .number()
    .int()
    .min(1)
    .default(2)
    .describe('Devices that one seat may have active by e-mail at once'),
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
  REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(1200).describe('Requests a minute from one address'),
  TRUSTED_PROXIES: List.default([]).describe('Addresses of proxies whose X-Forwarded-* is believed, comma-separated'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('How much is logged'),
  WEB_DEV_URL: Address.optional().describe('npm run dev only: the Vite server that serves the page'),
})

export type AccountConfig = ReturnType<typeof readAccountConfig>

/** Where the built page lies. */
export const webFolder = resolve(import.meta.dirname, '../../account-web/dist')

export function readAccountConfig(env: NodeJS.ProcessEnv) {
  const settings = readConfig(AccountSettings, env)
  if (settings.EVENT_URLS.length > 0 && !settings.EVENT_SECRET) {
    throw new ConfigError(['The setting EVENT_SECRET is not set, but is needed with EVENT_URLS. See .env.example.'])
  }
  refuseHalfLiveProvider(settings)
  return { ...settings, PUBLIC_URL: settings.PUBLIC_URL ?? `http://localhost:${settings.ATRIUM_PORT}` }
}

/** With a live key, everything else about the card provider must be real as well. */
function refuseHalfLiveProvider(settings: z.output<typeof AccountSettings>): void {
  const isLive = (key: string) => key.includes('_live_')
  const wrong = [
    ...(isLive(settings.STRIPE_SECRET_KEY) === isLive(settings.STRIPE_PUBLISHABLE_KEY)
      ? []
      : ['STRIPE_PUBLISHABLE_KEY']),
    ...(settings.STRIPE_WEBHOOK_SECRETS.length > 0 ? [] : ['STRIPE_WEBHOOK_SECRETS']),
    ...(isLive(settings.STRIPE_SECRET_KEY) ? notReal(settings) : []),
  ]
  if (wrong.length === 0) return
  throw new ConfigError(
    [...new Set(wrong)].map((name) => `The setting ${name} does not go with STRIPE_SECRET_KEY. See .env.example.`),
  )
}

function notReal(settings: z.output<typeof AccountSettings>): string[] {
  const { STRIPE_WEBHOOK_SECRETS: secrets, STRIPE_API_URL: api, STRIPE_SCRIPT_URL: script } = settings
  return [
    ...(secrets.includes(sandboxSecret) ? ['STRIPE_WEBHOOK_SECRETS'] : []),
    ...(api.startsWith('https:') ? [] : ['STRIPE_API_URL']),
    ...(script.startsWith('https:') ? [] : ['STRIPE_SCRIPT_URL']),
  ]
}

/** What `npm run import` needs. */
export const ImportSettings = AccountSettings.pick({ DATABASE_URL: true, INVOICE_HOSTS: true })
