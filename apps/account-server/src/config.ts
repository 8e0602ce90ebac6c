import { resolve } from 'node:path'
import { Address, DatabaseUrl, List, Port, readConfig } from '@atrium/server-kit/config.ts'
import { z } from 'zod'

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
  return { ...settings, PUBLIC_URL: settings.PUBLIC_URL ?? `http://localhost:${settings.ATRIUM_PORT}` }
}

/** What `npm run import` needs. */
export const ImportSettings = AccountSettings.pick({ DATABASE_URL: true })
