import type { Db } from '@atrium/server-kit/database.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import type { Accounts } from './features/accounts/accounts.auth.ts'
import type { Hashing } from './features/accounts/hashing.ts'
import type { Delays } from './features/delays/delays.writes.ts'
import type { Secrets } from './secrets.ts'

/** What the vendor sets. Addresses have no trailing slash. */
export interface SsoSettings {
  publicUrl: string
  accountUrl: string
  siteUrl: string
  brandName: string
  /** `#rrggbb` */
  brandColor: string
  /** Addresses; a service is registered when it lies at or below one of them. */
  services: readonly string[]
  /** Whether programs on the customer's own machine may ask for tickets too. */
  loopbackServices: boolean
  /** Minutes. */
  session: { idle: number; absolute: number }
  retention: { activityDays: number; activityAddressDays: number }
}

/** What every feature may use. */
export interface Deps {
  db: Db
  jobs: Jobs
  logger: FastifyBaseLogger
  accounts: Accounts
  hashing: Hashing
  delays: Delays
  secrets: Secrets
  settings: SsoSettings
  /** Keys with which the account page signs its tokens. */
  accountKeys: JWTVerifyGetKey
  clock: () => Date
}
