import type { CardList } from '@atrium/contract/cards.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import type { StoredCards } from '../../outside/card-provider/cards.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { forgetDeletedCustomer } from '../payments/customers/create-customer.ts'
import { mainCustomerId } from '../payments/customers/customers.queries.ts'
import { cardListFrom } from './cards.rules.ts'

type Needs = Pick<Deps, 'db' | 'clock' | 'cards' | 'logger'>

/**
 * The member's cards, with one call to the provider; none if the member never had one. @throws Problem
 * `card_provider_unavailable`
 */
export async function cardList(deps: Needs, member: Member): Promise<CardList> {
  return cardListFrom(await storedCards(deps, member), deps.clock())
}

/** The same, in the provider's form. */
export async function storedCards(deps: Needs, member: Pick<Member, 'id' | 'isSupport'>): Promise<StoredCards> {
  const customerId = await mainCustomerId(deps.db, member)
  if (!customerId) return { cards: [], defaultId: '' }
  return cardsOf(deps, customerId, { isReadOnly: member.isSupport ?? false })
}

/** A customer's cards; none if the vendor deleted the customer at the provider. */
export async function cardsOf(
  deps: Omit<Needs, 'clock'>,
  customerId: string,
  { isReadOnly = false } = {},
): Promise<StoredCards> {
  try {
    return await deps.cards.cards(customerId)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const isDeleted = !isReadOnly && error.kind === 'missing' && (await forgetDeletedCustomer(deps, customerId))
    if (isDeleted) return { cards: [], defaultId: '' }
    throw new Problem('card_provider_unavailable', { retryAfter: 5, cause: error })
  }
}
