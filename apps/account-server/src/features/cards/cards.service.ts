import type { CardEdit, CardList } from '@atrium/contract/cards.ts'
import { stateCountry } from '@atrium/contract/cards.ts'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem, refusedField } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { CardFailure } from '../../outside/card-failure.ts'
import type { StoredCards } from '../../outside/cards.ts'
import { statesOf } from '../addresses/states.rules.ts'
import { forgetDeletedCustomer } from '../payments/customers.writes.ts'
import { customerIdOf } from '../payments/payments.queries.ts'
import { countryList, isCountry } from '../profile/countries.rules.ts'
import { cardListFrom } from './cards.rules.ts'

type Needs = Pick<Deps, 'db' | 'clock' | 'cards' | 'logger'>

/** The member’s cards: one call of the provider, none for who never had one. */
export async function cardList(deps: Needs, member: Member): Promise<CardList> {
  return cardListFrom(await storedCards(deps, member), deps.clock())
}

/** What the edit dialog shows. */
export async function cardDetail(deps: Needs, member: Member, { id, lang }: { id: string; lang: LocaleCode }) {
  const { cards } = await storedCards(deps, member)
  const card = cards.find((one) => one.id === id)
  if (!card) throw new Problem('not_found')

  const isNamed = card.firstName !== '' || card.lastName !== ''
  const { firstName, lastName } = isNamed ? card : member
  return {
    detail: {
      countryList: countryList(lang),
      usaStateList: [...statesOf(stateCountry)],
      billingDetails: { address: card.address },
      metadata: { firstName, lastName },
    },
  }
}

/** @throws Problem `invalid`: the country is none, or the US has no such state */
export function holderFrom({ country, state, firstname, lastname, address, city, zip }: CardEdit) {
  if (!isCountry(country)) throw refusedField('country', 'purchase_location_required')
  const hasState = country === stateCountry
  if (hasState && !statesOf(country).some(({ code }) => code === state)) throw refusedField('state', 'state_required')
  return {
    firstName: firstname,
    lastName: lastname,
    address: { line1: address, city, state: hasState ? state : '', country, postalCode: zip },
  }
}

async function storedCards(deps: Needs, member: Member): Promise<StoredCards> {
  const customerId = await customerIdOf(deps.db, member)
  return customerId ? cardsOf(deps, customerId) : { cards: [], defaultId: '' }
}

/** What the provider has of a customer; none, where the vendor deleted the customer there. */
export async function cardsOf(deps: Needs, customerId: string): Promise<StoredCards> {
  try {
    return await deps.cards.cards(customerId)
  } catch (error) {
    if (!(error instanceof CardFailure)) throw error
    const isDeleted = error.kind === 'missing' && (await forgetDeletedCustomer(deps, customerId))
    if (isDeleted) return { cards: [], defaultId: '' }
    throw new Problem('card_provider_unavailable', { retryAfter: 5, cause: error })
  }
}
