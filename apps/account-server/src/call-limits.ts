import type { CallLimit } from '@atrium/contract/endpoint.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { newLimit } from '@atrium/server-kit/limits.ts'
import type { LimitCalls } from '@atrium/server-kit/serve.ts'

const seconds = 20

/** How many calls a member may send in twenty seconds: more than a person does, and too few to keep others waiting. */
export const callsAllowed: Readonly<Record<CallLimit, number>> = { provider: 30, document: 15, search: 60 }

/** The limits of endpoints (`limit`), which all copies of the server count together. */
export function callLimits(db: Db): LimitCalls {
  const limitOf = (name: CallLimit) =>
    newLimit(db, { name: `calls-${name}`, points: callsAllowed[name], seconds, schema: 'account', isRemembered: true })
  const limits = { provider: limitOf('provider'), document: limitOf('document'), search: limitOf('search') }
  return (limit, caller) => limits[limit].take(caller)
}
