import { Problem } from '@atrium/server-kit/problem.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'

/** Asks a provider before anything is sent or moves. @throws Problem `payment_provider_unavailable` */
export async function orUnavailable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    throw new Problem('payment_provider_unavailable', { retryAfter: 5, cause: error })
  }
}
