import type { CardList } from '@atrium/contract/cards.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import type { StoredCards } from '../../outside/card-provider/cards.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { forgetDeletedCustomer } from '../payments/customers/create-customer.ts'
import { type CustomerLink, customersOfMember } from '../payments/customers/customers.queries.ts'
import { isProven } from '../payments/customers/link-proofs.rules.ts'
import { subjectsOfSucceeded } from '../payments/operations/operations.queries.ts'
import { cardListFrom } from './cards.rules.ts'

type Needs = Pick<Deps, 'db' | 'clock' | 'cards' | 'logger'>

/** The cards at one of the member's customers that are the member's. */
export interface CustomerCards extends StoredCards {
  customerId: string
  isMain: boolean
}

/**
 * The member's cards at all of their customers, with one call to the provider for each; none if the member never had one. @throws
 * Problem `card_provider_unavailable`
 */
export async function cardList(deps: Needs, member: Member): Promise<CardList> {
  return cardListFrom(cardsOfAll(await cardsByCustomer(deps, member)), deps.clock())
}

/** The same, in the provider's form. */
export async function storedCards(deps: Needs, member: Pick<Member, 'id' | 'isSupport'>): Promise<StoredCards> {
  return cardsOfAll(await cardsByCustomer(deps, member))
}

/** The same by customer: the main one first. */
export async function cardsByCustomer(
  deps: Omit<Needs, 'clock'>,
  member: Pick<Member, 'id' | 'isSupport'>,
): Promise<CustomerCards[]> {
  const links = await customersOfMember(deps.db, member)
  return Promise.all(links.map((link) => cardsAt(deps, member, link)))
}

/** One list of them: the default is the main customer's. */
export function cardsOfAll(customers: readonly CustomerCards[]): StoredCards & { besideMain: ReadonlySet<string> } {
  const beside = customers.filter(({ isMain }) => !isMain).flatMap(({ cards }) => cards)
  return {
    cards: customers.flatMap(({ cards }) => cards),
    besideMain: new Set(beside.map(({ id }) => id)),
    defaultId: customers.find(({ isMain }) => isMain)?.defaultId ?? '',
  }
}

/**
 * The member's cards at a customer. Where an address alone says that the customer is the member, these are the cards that the member
 * has put on file there: what was entered at a checkout may be somebody else's.
 */
export async function cardsAt(
  deps: Omit<Needs, 'clock'>,
  member: Pick<Member, 'id' | 'isSupport'>,
  { customerId, isMain, proof }: CustomerLink,
): Promise<CustomerCards> {
  const own = isProven(proof) ? undefined : await ownCardsAt(deps.db, member, customerId)
  if (own?.size === 0) return { customerId, isMain, cards: [], defaultId: '' }
  const stored = await cardsOf(deps, customerId, { isReadOnly: member.isSupport ?? false })
  if (!own) return { customerId, isMain, ...stored }
  return { customerId, isMain, cards: stored.cards.filter(({ id }) => own.has(id)), defaultId: '' }
}

/** Ids of the cards that the member has put on file at a customer. */
function ownCardsAt(db: Reader, member: Pick<Member, 'id'>, customerId: string): Promise<Set<string>> {
  return subjectsOfSucceeded(db, member, { kind: 'card.add', input: { customerId } })
}

/** A customer's cards; none if the vendor deleted the customer at the provider. */
async function cardsOf(
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
