import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { allAt, type CustomerCards, cardsAt } from '../cards/member-cards.ts'
import { customersOfMember, linkOfCustomer } from '../payments/customers/customers.queries.ts'
import { isWhollyProven } from '../payments/customers/link-proofs.rules.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

/** What says who pays for a subscription. */
type Paid = Pick<SubscriptionRow, 'customerId'>

interface Payer extends CustomerCards {
  /** Whether all cards there are the member's: what is charged there by default may be charged. */
  isWhollyProven: boolean
}

/**
 * The customer who pays for a subscription of the member's, and the member's cards there: a card can pay only at the customer where it is
 * on file. What the card provider does not bill yet is paid by the main customer; undefined: there is none.
 */
export async function payerFor(
  deps: Deps,
  member: Pick<Member, 'id' | 'isSupport'>,
  { customerId }: Paid,
): Promise<Payer | undefined> {
  const links = await customersOfMember(deps.db, member)
  const main = links.find(({ isMain }) => isMain)
  const atMain = () => main && allAt(deps, member, main)
  if (customerId === null) {
    const stored = await atMain()
    return stored && { ...stored, isWhollyProven: true }
  }
  const known = links.find((link) => link.customerId === customerId)
  // Somebody else's, or of nobody who has paid here yet.
  if (!known && (await linkOfCustomer(deps.db, customerId))) return undefined
  const link = known ?? ({ customerId, isMain: false, proof: 'address', isPartlyProven: false } as const)
  return { ...(await cardsAt(deps, member, { link, atMain })), isWhollyProven: isWhollyProven(link) }
}

/**
 * A card that is to pay is the member's, where the subscription is paid.
 * @param paymentMethodId empty: none was chosen
 * @throws Problem `not_found`
 */
export async function expectOnFile(
  deps: Deps,
  member: Pick<Member, 'id'>,
  { paid, paymentMethodId }: { paid: Paid; paymentMethodId: string },
): Promise<void> {
  if (paymentMethodId === '') return
  const payer = await payerFor(deps, member, paid)
  if (!payer?.cards.some(({ id }) => id === paymentMethodId)) throw new Problem('not_found')
}

/** What pays for a subscription, if the member may have it charged: null for a card that somebody entered at a checkout. */
export async function memberCard<Card extends { id: string }>(
  deps: Deps,
  member: Pick<Member, 'id'>,
  { paid, card }: { paid: Paid; card: Card | null },
): Promise<Card | null> {
  if (card === null) return null
  const payer = await payerFor(deps, member, paid)
  return payer && (payer.isWhollyProven || payer.cards.some(({ id }) => id === card.id)) ? card : null
}

/** Whether all that is at the customer who pays is the member's, so that what is charged there later, and its credit, are theirs to spend. */
export async function isPaidByMember(
  { db }: Pick<Deps, 'db'>,
  member: Pick<Member, 'id'>,
  { customerId }: Paid,
): Promise<boolean> {
  if (customerId === null) return true
  const link = await linkOfCustomer(db, customerId)
  return link?.memberId === member.id && isWhollyProven(link)
}

/** Whether the member may have charged what pays for a subscription by itself: not what somebody entered at a checkout. */
export async function mayBeCharged(
  deps: Deps,
  member: Pick<Member, 'id'>,
  paid: Paid & Pick<SubscriptionRow, 'ownCard'>,
): Promise<boolean> {
  const payer = await payerFor(deps, member, paid)
  if (!payer || payer.isWhollyProven) return payer !== undefined
  return payer.cards.some(({ id }) => id === (paid.ownCard || payer.defaultId))
}
