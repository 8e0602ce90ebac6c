import type { Reader } from '@atrium/server-kit/database.ts'
import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import type { Owner } from '../payments/customers/customer-claims.queries.ts'
import { linkOfCustomer } from '../payments/customers/customers.queries.ts'
import { isProven } from '../payments/customers/link-proofs.rules.ts'

/** What is known here of the subscriptions of the card provider, by its ids. */
export interface KnownSubscriptions {
  /** Since when nobody here gets what is billed for one, since it was transferred; undefined: somebody does. */
  endedForMove(db: Reader, subscriptionId: string): Promise<Date | undefined>
  /** Whose one is, if that is known beside its customer; null: nobody's. */
  ownerOf(db: Reader, subscriptionId: string): Promise<Owner | null | undefined>
}

type OwnerOf = KnownSubscriptions['ownerOf']

/** Whose a new order is: its subscription may be known to be another's than its customer, once either is proven. */
export async function ownerOfInvoice(
  db: Reader,
  { customerId, subscriptionId }: BilledInvoice,
  { owner, ownerOf }: { owner: Owner | undefined; ownerOf: OwnerOf },
): Promise<Owner | undefined> {
  if (subscriptionId === '') return owner
  const link = await linkOfCustomer(db, customerId)
  const known = await ownerOf(db, subscriptionId)
  if (link && isProven(link.proof)) return known === undefined ? owner : (known ?? undefined)
  return known && isProven(known.proof) ? known : owner
}

/**
 * Whose a stored order is: an address alone may have said it. It follows its subscription, else its customer, once they are proven.
 * @returns undefined: whose it was
 */
export async function linkedOwner(
  db: Reader,
  { customerId, subscriptionId }: BilledInvoice,
  ownerOf: OwnerOf | undefined,
): Promise<string | undefined> {
  const link = await linkOfCustomer(db, customerId)
  const known = subscriptionId === '' ? undefined : await ownerOf?.(db, subscriptionId)
  if (known && isProven(known.proof)) return known.memberId
  return known === null || !link || !isProven(link.proof) ? undefined : (known ?? link).memberId
}
