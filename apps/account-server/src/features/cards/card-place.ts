import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { customerFor } from '../payments/customers/create-customer.ts'
import { customersOfMember, linkOfCustomer } from '../payments/customers/customers.queries.ts'
import { isWhollyProven } from '../payments/customers/link-proofs.rules.ts'
import { subjectsOfSucceeded } from '../payments/operations/operations.queries.ts'
import { isDeclined } from '../payments/unmatched/unmatched.queries.ts'
import { enqueuePurchases } from '../session/purchases.writes.ts'
import { cardsByCustomer } from './member-cards.ts'

/** A new card, and where it is put on file: it pays only there. */
export interface Addition {
  paymentMethodId: string
  /** A card of the member's, at whose customer it is put on file. */
  besides?: string | undefined
  /** The customer at which it is put on file; undefined: the main one. */
  customerId?: string | undefined
}

/** @throws Problem `not_found` for a card to replace that is not the member's */
export async function customerOfNewCard(
  deps: Deps,
  member: Member,
  { besides, customerId }: Addition,
): Promise<string> {
  if (customerId !== undefined) return customerId
  if (besides === undefined) return customerFor(deps, member)
  const customers = await cardsByCustomer(deps, member)
  const found = customers.find(({ cards }) => cards.some(({ id }) => id === besides))
  if (!found) throw new Problem('not_found')
  return found.customerId
}

/** Ids of the member's cards at other customers, and whether all that is on file at this one is the member's. */
export async function cardsBeside(
  deps: Deps,
  member: Member,
  customerId: string,
): Promise<{ isOurs: boolean; beside: string[] }> {
  const links = await customersOfMember(deps.db, member)
  const stored = await cardsByCustomer(deps, member)
  const others = stored.filter((one) => one.customerId !== customerId)
  return {
    isOurs: links.some((link) => link.customerId === customerId && isWhollyProven(link)),
    beside: others.flatMap(({ cards }) => cards.map(({ id }) => id)),
  }
}

interface Place {
  customerId: string
  /** Whether all that is on file there is the member's. */
  isOurs: boolean
  /** Payment methods that are on file there. */
  onFile: readonly string[]
  paymentMethodId: string
}

/**
 * Under the member's lock: the customer is nobody else since it was read, and the card is not one that was entered at a checkout, which
 * would count as the member's from then on.
 * @throws Problem `not_found`
 */
export async function expectPlace(
  tx: Tx,
  member: Pick<Member, 'id'>,
  { customerId, isOurs, onFile, paymentMethodId }: Place,
): Promise<void> {
  const link = await linkOfCustomer(tx, customerId)
  const isOthers = link ? link.memberId !== member.id : await isDeclined(tx, { memberId: member.id, customerId })
  if (isOthers) throw new Problem('not_found')
  if (isOurs || !onFile.includes(paymentMethodId)) return
  const own = await subjectsOfSucceeded(tx, member, { kind: 'card.add', input: { customerId } })
  if (!own.has(paymentMethodId)) throw new Problem('not_found')
}

/** The same card may be on file at a customer who is not wholly proven to be the member: a job compares them. */
export async function compareCards(deps: Deps, tx: Tx, memberId: string): Promise<void> {
  const links = await customersOfMember(tx, { id: memberId })
  if (links.some((link) => !isWhollyProven(link))) await enqueuePurchases(deps, tx, memberId)
}
