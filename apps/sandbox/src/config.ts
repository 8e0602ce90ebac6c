import { Address, DatabaseUrl, List, Port, readConfig } from '@atrium/server-kit/config.ts'
import { z } from 'zod'

/** Every setting of the sandbox, with its description in `.env.example`. */
export const SandboxSettings = z.object({
  ATRIUM_SANDBOX_PORT: Port.default(3002).describe('Port of the sandbox’s pages'),
  SANDBOX_SMTP_PORT: Port.default(3025).describe('Port on which the sandbox takes all mail, on loopback only'),
  SANDBOX_URL: Address.optional().describe('Where a browser reaches the sandbox; default http://localhost:<port>'),
  PUBLIC_URL: Address.default('http://localhost:3000').describe('Where customers reach account-server'),
  SSO_URL: Address.default('http://localhost:3001').describe('Where customers reach the single sign-on host'),
  BRAND_NAME: z.string().max(40).default('Folio').describe('The vendor’s name in the page'),
  SANDBOX_MOVES_ACCOUNT_CLOCK: z
    .stringbool()
    .default(false)
    .describe('Whether account-server’s business clock follows the sandbox’s, step by step'),
  DATABASE_URL: DatabaseUrl.describe('PostgreSQL 15 or later; npm start brings its own when not set'),
  SHOP_SIGNING_SECRET: List.default([]).describe('Of which the sandbox’s shop uses the first'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('How much is logged'),
})

export type SandboxConfig = ReturnType<typeof readSandboxConfig>

export function readSandboxConfig(env: NodeJS.ProcessEnv) {
  const settings = readConfig(SandboxSettings, env)
  return { ...settings, SANDBOX_URL: settings.SANDBOX_URL ?? `http://localhost:${settings.ATRIUM_SANDBOX_PORT}` }
}
