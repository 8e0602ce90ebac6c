import type { CardList } from '@atrium/contract/cards.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import type { StoredCards } from '../../outside/card-provider/cards.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { forgetDeletedCustomer } from '../payments/customers/create-customer.ts'
import { type CustomerLink, customersOfMember } from '../payments/customers/customers.queries.ts'
import { isWhollyProven } from '../payments/customers/link-proofs.rules.ts'
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
  const main = links.find(({ isMain }) => isMain)
  const atMain = main && allAt(deps, member, main)
  const at = (link: CustomerLink) => cardsAt(deps, member, { link, atMain: () => atMain })
  return Promise.all(links.map((link) => (link.isMain && atMain) || at(link)))
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

interface AskedLink {
  link: CustomerLink
  /** The cards of the main customer; undefined: there is none. */
  atMain(): Promise<CustomerCards> | undefined
}

/**
 * The member's cards at a customer. Where not all of the customer is proven to be the member, these are the cards that the member has put on
 * file there, or at the main customer too: what else was entered there may be somebody else's.
 */
export async function cardsAt(
  deps: Omit<Needs, 'clock'>,
  member: Pick<Member, 'id' | 'isSupport'>,
  { link, atMain }: AskedLink,
): Promise<CustomerCards> {
  if (isWhollyProven(link)) return allAt(deps, member, link)
  const { customerId, isMain } = link
  const added = await subjectsOfSucceeded(deps.db, member, { kind: 'card.add', input: { customerId } })
  const same = new Set((await atMain())?.cards.flatMap(({ fingerprint }) => fingerprint || []))
  if (added.size === 0 && same.size === 0) return { customerId, isMain, cards: [], defaultId: '' }
  const stored = await allAt(deps, member, link)
  const cards = stored.cards.filter(({ id, fingerprint }) => added.has(id) || same.has(fingerprint))
  const isOwn = cards.some(({ id }) => id === stored.defaultId)
  return { ...stored, cards, defaultId: isOwn ? stored.defaultId : '' }
}

/** All cards at a customer. */
export async function allAt(
  deps: Omit<Needs, 'clock'>,
  { isSupport = false }: Pick<Member, 'isSupport'>,
  { customerId, isMain }: Pick<CustomerLink, 'customerId' | 'isMain'>,
): Promise<CustomerCards> {
  return { customerId, isMain, ...(await cardsOf(deps, customerId, { isReadOnly: isSupport })) }
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
