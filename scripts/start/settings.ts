import { Address, DatabaseUrl, isOnThisMachine, Port, readConfig } from '@atrium/server-kit/config.ts'
import { z } from 'zod'
import { loginProvidersAt } from './login-providers.ts'

/** The settings of the start script; all others are passed on to the programs. */
export const StartSettings = z.object({
  ATRIUM_PORT: Port.default(3000).describe('Port of account-server'),
  ATRIUM_SSO_PORT: Port.default(3001).describe('Port of sso'),
  ATRIUM_SANDBOX_PORT: Port.default(3002).describe('Port of sandbox'),
  SANDBOX_SMTP_PORT: Port.default(3025).describe('Port of the sandbox’s mail server'),
  ATRIUM_DATA_DIR: z.string().optional().describe('Where the embedded PostgreSQL keeps its data; default .data'),
  DATABASE_URL: DatabaseUrl.optional().describe('A PostgreSQL 15 or later of your own instead of the embedded one'),
  PUBLIC_URL: Address.optional().describe('Where customers reach account-server; default http://localhost:<port>'),
  SSO_URL: Address.optional().describe(
    'Where customers reach the single sign-on host; default http://localhost:<port>',
  ),
})

export type StartConfig = ReturnType<typeof readStartConfig>

/** What the sandbox's shop signs with. */
export const trialShopSecret = 'a secret of the shop for trials on this machine only'

export function readStartConfig(env: NodeJS.ProcessEnv) {
  return readConfig(StartSettings, env)
}

/** The environment of the programs: the given one, with addresses derived from the ports. */
export function programEnvironment(
  config: StartConfig,
  databaseUrl: string,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const account = config.PUBLIC_URL ?? `http://localhost:${config.ATRIUM_PORT}`
  const sso = config.SSO_URL ?? `http://localhost:${config.ATRIUM_SSO_PORT}`
  const sandbox = `http://localhost:${config.ATRIUM_SANDBOX_PORT}`
  return {
    // Restricted, as docs/operations.md has it.
    STRIPE_SECRET_KEY: 'rk_test_sandbox',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
    STRIPE_WEBHOOK_SECRETS: 'whsec_sandboxsandboxsandbox',
    SHOP_SIGNING_SECRET: trialShopSecret,
    SUPPORT_ROLE: 'roles:support',
    SITE_URL: `${sandbox}/site`,
    FEEDBACK_URL: `${sandbox}/support/feedback`,
    TICKETS_URL: `${sandbox}/support/tickets`,
    ADMIN_CONSOLE_URL: `${sandbox}/admin-console`,
    // The sandbox's page /clock moves both.
    ...(isOnThisMachine(account) && { BUSINESS_CLOCK: 'movable', SANDBOX_MOVES_ACCOUNT_CLOCK: 'true' }),
    LINK_HOSTS: 'manage.folio.test,cloud.folio.test,esign.folio.test,assistant.folio.test,redact.folio.test',
    REDACT_PORTAL_URL: `${sandbox}/redact-portal`,
    STORAGE_URL: `${sandbox}/storage`,
    ...cloudSettings(sandbox),
    STRIPE_API_URL: sandbox,
    STRIPE_SCRIPT_URL: `${sandbox}/cards/js/endive/stripe.js`,
    PAYPAL_API_URL: sandbox,
    PAYPAL_WEBHOOK_ID: 'SANDBOXWEBHOOK017',
    PAYPAL_ROOTS: `${sandbox}/paypal/certs/root.pem`,
    // With a client of the vendor's own, a provider is the real one.
    ...loginProvidersAt(sandbox, env),
    SMTP_URL: `smtp://localhost:${config.SANDBOX_SMTP_PORT}`,
    LOG_LEVEL: 'warn',
    ...env,
    ATRIUM_PORT: String(config.ATRIUM_PORT),
    ATRIUM_SSO_PORT: String(config.ATRIUM_SSO_PORT),
    ATRIUM_SANDBOX_PORT: String(config.ATRIUM_SANDBOX_PORT),
    SANDBOX_SMTP_PORT: String(config.SANDBOX_SMTP_PORT),
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: account,
    ACCOUNT_URL: account,
    SSO_URL: sso,
  }
}

/** The sandbox's cloud service in each data region, for account-server and for sso. */
function cloudSettings(sandbox: string): NodeJS.ProcessEnv {
  const urls = ['us', 'eu', 'ca', 'au'].map((region) => [region.toUpperCase(), `${sandbox}/cloud/${region}`] as const)
  return {
    ...Object.fromEntries(urls.map(([region, url]) => [`CLOUD_URL_${region}`, url])),
    SSO_CLOUD_SERVICES: urls.map(([, url]) => url).join(','),
  }
}
