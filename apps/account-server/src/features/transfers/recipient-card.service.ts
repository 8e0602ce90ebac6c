import type { Deps } from '../../deps.ts'
import { ifKnown } from '../../outside/provider-failure.ts'
import { mainCustomerId } from '../payments/customers/customers.queries.ts'
import { orUnavailable } from './or-unavailable.ts'
import type { Payer } from './transfers.rules.ts'

/** The card that would pay for what goes on, and in what currency. @throws Problem `payment_provider_unavailable` */
export async function payerOf(deps: Deps, recipient: { id: string }): Promise<Payer> {
  if (deps.config.CARD_PROVIDER === 'none') return {}
  const customerId = await mainCustomerId(deps.db, recipient)
  if (customerId === undefined) return {}
  return orUnavailable(async () => {
    const stored = await ifKnown(deps.cards.cards(customerId))
    if (!stored || stored.cards.length === 0) return { currency: await ifKnown(deps.cards.currencyOf(customerId)) }
    const card = stored.cards.find(({ id }) => id === stored.defaultId)
    return { card: card && { brand: card.brand, last4: card.last4 }, currency: stored.currency }
  })
}
