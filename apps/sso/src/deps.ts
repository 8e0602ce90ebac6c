import type { Db } from '@atrium/server-kit/database.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import type { SsoConfig } from './config.ts'
import type { Accounts } from './features/accounts/accounts.auth.ts'
import type { Hashing } from './features/accounts/hashing.ts'
import type { Delays } from './features/delays/delays.writes.ts'
import type { Secrets } from './secrets.ts'

/** What every feature may use. */
export interface Deps {
  config: SsoConfig
  db: Db
  jobs: Jobs
  logger: FastifyBaseLogger
  accounts: Accounts
  hashing: Hashing
  delays: Delays
  secrets: Secrets
  /** Keys with which the account page signs its tokens. */
  accountKeys: JWTVerifyGetKey
  clock: () => Date
}
