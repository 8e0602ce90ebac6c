import { Problem } from '@atrium/server-kit/problem.ts'
import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi'

/** Errors with which providers report that the person canceled; the first is the standard's, the others are LinkedIn's. */
const cancellations = ['access_denied', 'user_cancelled_login', 'user_cancelled_authorize']

/** A reply of the provider that is no answer: 5xx, or an overload. */
export class ProviderAway extends Error {
  constructor(status: number) {
    super(`the provider answered ${status}`)
    this.name = 'ProviderAway'
  }
}

/** Turns whatever goes wrong at a provider into a problem that is logged with its cause. */
export async function orProviderProblem<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) throw error
    if (error instanceof AuthorizationResponseError && cancellations.includes(error.error)) {
      throw new Problem('provider_canceled')
    }
    if (isAway(error)) throw new Problem('provider_unreachable', { retryAfter: 5, cause: error })
    throw new Problem('provider_refused', { cause: reported(error) })
  }
}

/** Without a network, fetch throws a TypeError, and a timeout is a DOMException. */
function isAway(error: unknown): boolean {
  if (error instanceof ProviderAway || error instanceof DOMException) return true
  return error instanceof TypeError && error.message === 'fetch failed'
}

/** The log shows messages and not fields, so the provider's error code (`invalid_client`) becomes a message. */
function reported(error: unknown): unknown {
  const isReport = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError
  return isReport ? new Error(`the provider reported ${error.error.slice(0, 100)}`, { cause: error }) : error
}
