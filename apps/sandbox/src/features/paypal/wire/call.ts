import type { Db, Reader, Tx } from '@atrium/server-kit/database.ts'
import { businessNow } from '../../clock/clock.queries.ts'

/** Dependencies of the stand-in. */
export interface PaypalDeps {
  db: Db
  /** Real time, from which business time follows. Tokens, request ids and deliveries are on real time. */
  clock: () => Date
  /** Where a browser and the merchant's server reach the sandbox, without a slash at the end. */
  publicUrl: string
  /** Called after a request that may have caused events. */
  onEvents(): void
}

/** What an operation that only reads is given. */
export interface Reading {
  tx: Reader
  /** Business time. */
  now: Date
  publicUrl: string
}

/** One operation at the provider: a request of its API, the buyer's answer, or what is due. */
export interface Call extends Reading {
  tx: Tx
}

/** Runs what only reads. */
export async function inReading<Result>(
  { db, clock, publicUrl }: Pick<PaypalDeps, 'db' | 'clock' | 'publicUrl'>,
  run: (reading: Reading) => Promise<Result>,
): Promise<Result> {
  return run({ tx: db, now: await businessNow(db, clock()), publicUrl })
}

/** Runs an operation in a transaction. */
export function inCall<Result>(
  { db, clock, publicUrl }: Pick<PaypalDeps, 'db' | 'clock' | 'publicUrl'>,
  run: (call: Call) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => run({ tx, now: await businessNow(tx, clock()), publicUrl }))
}
