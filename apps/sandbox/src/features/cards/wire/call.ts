import type { Db, Tx } from '@atrium/server-kit/database.ts'
import type { Access } from './access.rules.ts'

/** What the stand-in is made with. */
export interface ApiDeps {
  db: Db
  clock: () => Date
  publicUrl: string
  /** Called after a request that may have caused events. */
  onEvents(): void
}

/** One operation at the provider: a request of its API, or a cardholder's answer to the bank. */
export interface Call {
  tx: Tx
  now: Date
  /** None for what no request of the API caused. */
  requestId: string | null
  idempotencyKey: string | null
  access: Access
  /** Where a browser reaches the sandbox, without a slash at the end. */
  publicUrl: string
}

/** An operation that no request of the API caused: of the bank, or of the operator of the sandbox. */
export function ownCall(tx: Tx, { clock, publicUrl }: Pick<ApiDeps, 'clock' | 'publicUrl'>): Call {
  return { tx, now: clock(), requestId: null, idempotencyKey: null, access: 'secret', publicUrl }
}
