import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { businessNow } from '../../clock/clock.queries.ts'
import type { Access } from './access.rules.ts'

/** Dependencies of the stand-in. */
export interface ApiDeps {
  db: Db
  /** The real time. */
  clock: () => Date
  publicUrl: string
  /** Called after a request that may have caused events. */
  onEvents(): void
}

/** One operation at the provider: a request of its API, or a cardholder's answer to the bank. */
export interface Call {
  tx: Tx
  /** On the business clock. */
  now: Date
  /** The real time, which deliveries, signatures and idempotency keys follow. */
  realNow: Date
  /** Missing if no request of the API caused it. */
  requestId: string | null
  idempotencyKey: string | null
  access: Access
  /** Where a browser reaches the sandbox, without a slash at the end. */
  publicUrl: string
}

/** An operation that no request of the API caused: by the bank, or by the operator of the sandbox. */
export async function ownCall(tx: Tx, { clock, publicUrl }: Pick<ApiDeps, 'clock' | 'publicUrl'>): Promise<Call> {
  const realNow = clock()
  const now = await businessNow(tx, realNow)
  return { tx, now, realNow, requestId: null, idempotencyKey: null, access: 'secret', publicUrl }
}
