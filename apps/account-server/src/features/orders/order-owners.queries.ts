import type { Reader } from '@atrium/server-kit/database.ts'
import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import { type Owner, ownersOf } from '../payments/customers/customer-claims.queries.ts'
import { linkOfCustomer } from '../payments/customers/customers.queries.ts'
import { isCorrectable, isProven, isWhollyProven, type Proven } from '../payments/customers/link-proofs.rules.ts'

/** What is known here of the subscriptions of the card provider, by its ids. */
export interface KnownSubscriptions {
  /** Since when nobody here gets what is billed for one, since it was transferred; undefined: somebody does. */
  endedForMove(db: Reader, subscriptionId: string): Promise<Date | undefined>
  /** Whose one is, if that is known beside its customer; null: nobody's. */
  ownerOf(db: Reader, subscriptionId: string): Promise<Owner | null | undefined>
}

export interface KnownOwners {
  ownerOf: KnownSubscriptions['ownerOf'] | undefined
  /** Whom the invoice itself names (`namedOwner`). */
  named: Owner | undefined
}

/** Whom the vendor's key or shop has named in an invoice that is of no subscription. */
export async function namedOwner(
  db: Reader,
  { subscriptionId, claim }: BilledInvoice,
  secrets: readonly string[],
): Promise<Owner | undefined> {
  if (subscriptionId !== '' || !claim) return undefined
  const [owner] = await ownersOf(db, [{ ...claim, email: '', isOfPurchase: true }], { secrets })
  return owner
}

/** What stands at the customer itself weighs as much as what stands at one of its invoices, and was there first. */
function standsAgainst(link: Proven | undefined): boolean {
  return link !== undefined && isWhollyProven(link) && !isCorrectable(link.proof)
}

/** Whose a new order is: its subscription may be known to be another's than its customer, once either is proven. */
export async function ownerOfInvoice(
  db: Reader,
  { customerId, subscriptionId }: BilledInvoice,
  { owner, ownerOf, named }: KnownOwners & { owner: Owner | undefined },
): Promise<Owner | undefined> {
  const link = await linkOfCustomer(db, customerId)
  if (subscriptionId === '') return named && !standsAgainst(link) ? named : owner
  const known = await ownerOf?.(db, subscriptionId)
  if (link && isProven(link.proof)) return known === undefined ? owner : (known ?? undefined)
  return known && isProven(known.proof) ? known : owner
}

/**
 * Whose a stored order is: an address alone may have said it. It follows its subscription, else whom it names itself, else its customer,
 * once they are proven.
 * @returns undefined: whose it was
 */
export async function linkedOwner(
  db: Reader,
  { customerId, subscriptionId }: BilledInvoice,
  { ownerOf, named }: KnownOwners,
): Promise<string | undefined> {
  const link = await linkOfCustomer(db, customerId)
  if (named && !standsAgainst(link)) return named.memberId
  const known = subscriptionId === '' ? undefined : await ownerOf?.(db, subscriptionId)
  if (known && isProven(known.proof)) return known.memberId
  return known === null || !link || !isProven(link.proof) ? undefined : (known ?? link).memberId
}
