import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { ifKnown, ProviderFailure } from '../../outside/provider-failure.ts'
import { customerIdOf } from '../payments/customers/customers.queries.ts'
import type { Offer } from './transfers.tables.ts'

/** The card that would pay for what goes on. @throws Problem `payment_provider_unavailable` */
export async function defaultCardOf(deps: Deps, recipient: { id: string }): Promise<Offer['card'] | undefined> {
  if (deps.config.CARD_PROVIDER === 'none') return undefined
  const customerId = await customerIdOf(deps.db, recipient)
  if (customerId === undefined) return undefined
  try {
    const stored = await ifKnown(deps.cards.cards(customerId))
    const card = stored?.cards.find(({ id }) => id === stored.defaultId)
    return card && { brand: card.brand, last4: card.last4 }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    throw new Problem('payment_provider_unavailable', { retryAfter: 5, cause: error })
  }
}
