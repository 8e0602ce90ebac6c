import type { Db, Tx } from '@atrium/server-kit/database.ts'

/** Dependencies of the stand-in. */
export interface PaypalDeps {
  db: Db
  /** Business time. Tokens, request ids and deliveries are on the wall clock. */
  clock: () => Date
  /** Where a browser and the merchant's server reach the sandbox, without a slash at the end. */
  publicUrl: string
  /** Called after a request that may have caused events. */
  onEvents(): void
}

/** One operation at the provider: a request of its API, the buyer's answer, or what is due. */
export interface Call {
  tx: Tx
  now: Date
  publicUrl: string
}

/** Runs an operation in a transaction. */
export function inCall<Result>(
  { db, clock, publicUrl }: Pick<PaypalDeps, 'db' | 'clock' | 'publicUrl'>,
  run: (call: Call) => Promise<Result>,
  now = clock(),
): Promise<Result> {
  return db.transaction((tx) => run({ tx, now, publicUrl }))
}
