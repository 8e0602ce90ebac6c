import type { Reader } from '@atrium/server-kit/database.ts'
import type { ObjectClaim } from '../../../outside/billed-invoice.ts'
import type { CardProvider } from '../../../outside/card-provider/card-provider.ts'
import type { ListedCustomer } from '../../../outside/card-provider/customers.ts'
import { type Claim, type ClaimRules, type Owner, ownersOf } from './customer-claims.queries.ts'
import { isProven } from './link-proofs.rules.ts'

export interface Asking {
  db: Reader
  cards: Pick<CardProvider, 'claimsOf'>
  rules: ClaimRules
}

/** What was bought says whose its customer is. */
export function ofPurchase(claim: ObjectClaim, { email }: Pick<ListedCustomer, 'email'>): Claim {
  return { ...claim, email, isOfPurchase: true }
}

/**
 * What a customer and what was bought there say together: what is proven counts first. `nobody`: with the customer's address, which names a
 * member, a purchase is nobody's, since the vendor has written that it is somebody's who is not here.
 *
 * @param found of the customer, then of its purchases, with its address
 */
export function wordOf(found: readonly (Owner | undefined)[]): Owner | 'nobody' | undefined {
  const owners = found.filter((owner) => owner !== undefined)
  const proven = owners.find(({ proof }) => isProven(proof))
  const isOfNobody = found[0] !== undefined && owners.length < found.length
  return proven ?? (isOfNobody ? 'nobody' : owners[0])
}

/** To whom the vendor has written that something belongs which the customer bought: the address that was typed says less. */
export async function ownerOfBought(asking: Asking, customer: ListedCustomer): Promise<Owner | undefined> {
  const { db, cards, rules } = asking
  for await (const page of cards.claimsOf(customer.id)) {
    const claims = page.map((claim) => ofPurchase(claim, { email: '' }))
    const buyer = (await ownersOf(db, claims, rules)).find((owner) => owner !== undefined)
    if (buyer) return asBought(asking, customer, buyer)
  }
  return undefined
}

/**
 * Whose a customer is who was nobody here, and of whom a purchase says it: wholly that member, if so does everything that was bought. Beside
 * what somebody else has bought with the member's address there may be cards of theirs.
 */
export async function asBought({ db, cards, rules }: Asking, customer: ListedCustomer, owner: Owner): Promise<Owner> {
  if (!owner.isPartlyProven) return owner
  for await (const page of cards.claimsOf(customer.id)) {
    // Its subscription says whose an invoice is.
    const bought = page.filter(({ isOfSubscription }) => !isOfSubscription)
    const owners = await ownersOf(
      db,
      bought.map((claim) => ofPurchase(claim, customer)),
      rules,
    )
    const isOwn = (one: Owner | undefined) => one?.memberId === owner.memberId && isProven(one.proof)
    if (!owners.every(isOwn)) return owner
  }
  return { ...owner, isPartlyProven: false }
}
