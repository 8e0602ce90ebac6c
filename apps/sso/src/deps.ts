import type { Db } from '@atrium/server-kit/database.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import type { SsoConfig } from './config.ts'
import type { Accounts } from './features/accounts/accounts.auth.ts'
import type { Hashing } from './features/accounts/hashing.ts'
import type { Delays } from './features/delays/delays.writes.ts'
import type { Providers } from './features/providers/providers.ts'
import type { Refusals } from './features/refusals/refusals.writes.ts'
import type { Secrets } from './secrets.ts'

/** Dependencies of every feature. */
export interface Deps {
  config: SsoConfig
  db: Db
  jobs: Jobs
  logger: FastifyBaseLogger
  accounts: Accounts
  hashing: Hashing
  delays: Delays
  providers: Providers
  refusals: Refusals
  secrets: Secrets
  /** Public keys of the account page's tokens. */
  accountKeys: JWTVerifyGetKey
  clock: () => Date
}
