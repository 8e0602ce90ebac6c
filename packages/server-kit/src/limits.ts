import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Db } from './database.ts'
import { Problem } from './problem.ts'

export interface Limit {
  /** Takes one from the allowance of `key`. @throws Problem `too_often` with `retryAfter` */
  take(key: string): Promise<void>
  /** Gives back what one `take` has taken. */
  restore(key: string): Promise<void>
  /** Restores the whole allowance. */
  forget(key: string): Promise<void>
}

interface LimitOptions {
  name: string
  points: number
  seconds: number
  /** Schema of the table, which the program's migrations create. */
  schema: string
  /** Whether a copy that has refused a key goes on until its time is over, without a query. Not for what is restored elsewhere. */
  isRemembered?: boolean
}

/** A limit shared by all copies of a server. The table is `rate_limits` (key, points, expire). */
export function newLimit(db: Db, { name, points, seconds, schema, isRemembered = false }: LimitOptions): Limit {
  const limiter = new RateLimiterPostgres({
    storeClient: db.$client,
    storeType: 'pool',
    schemaName: schema,
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    points,
    duration: seconds,
    ...(isRemembered && { inMemoryBlockOnConsumed: points }),
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
    async restore(key) {
      await limiter.reward(key)
    },
    async forget(key) {
      await limiter.delete(key)
    },
  }
}
