import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Db } from './database.ts'
import { Problem } from './problem.ts'

export interface Limit {
  /** Takes one from the allowance of `key`, or refuses with `too_often` and when to come back. */
  take(key: string): Promise<void>
  /** Gives the whole allowance back. */
  forget(key: string): Promise<void>
}

interface LimitOptions {
  name: string
  points: number
  seconds: number
  /** The table lives in this schema, made by the program's migrations. */
  schema: string
}

/** A limit that holds across every copy of a server. The table is `rate_limits` (key, points, expire). */
export function newLimit(db: Db, { name, points, seconds, schema }: LimitOptions): Limit {
  const limiter = new RateLimiterPostgres({
    storeClient: db.$client,
    storeType: 'pool',
    schemaName: schema,
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    points,
    duration: seconds,
  })

  return {
    async take(key) {
      try {
        await limiter.consume(key)
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        throw new Problem('too_often', { retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) })
      }
    },
    async forget(key) {
      await limiter.delete(key)
    },
  }
}
