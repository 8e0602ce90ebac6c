import type { Deps } from '../../deps.ts'
import type { Payer } from '../../outside/card-provider/payer.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'

/** What pays for a subscription of the card provider; undefined: the provider does not say now. */
export async function payerNow(
  { cards, logger }: Pick<Deps, 'logger'> & { cards: Pick<Deps['cards'], 'payerOf'> },
  providerId: string,
): Promise<Payer | undefined> {
  try {
    return await cards.payerOf(providerId)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    logger.warn({ err: error, subscriptionId: providerId }, 'what pays for a subscription is not known now')
    return undefined
  }
}
