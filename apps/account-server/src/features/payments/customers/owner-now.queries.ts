import type { Tx } from '@atrium/server-kit/database.ts'
import { lockMember } from '../../../db/members.queries.ts'
import { isErasedPerson } from '../../../db/nobody.queries.ts'
import { isDeclined, linkedMember } from '../unmatched/unmatched.queries.ts'
import type { Owner } from './customer-claims.queries.ts'
import { linkOfCustomer } from './customers.queries.ts'
import { isProven, isWhollyProven } from './link-proofs.rules.ts'

interface Bought {
  provider: 'card' | 'paypal'
  /** The provider's id of the subscription; empty: none. */
  objectId: string
  /** The card provider's customer; empty: none. */
  customerId: string
  /** Whether the owner is that of a stored subscription, which stays theirs unless they are erased. */
  isStored?: boolean | undefined
}

/**
 * Whose something is that is new here, under the lock of who it was when it was read: they may have said that it, or its customer, is
 * somebody else's, or that may have been proven meanwhile, or they may have been erased. Another owner than then is not locked.
 */
export async function ownerNow(tx: Tx, owner: Owner | undefined, bought: Bought): Promise<Owner | undefined> {
  if (!owner) return undefined
  const member = await lockMember(tx, { id: owner.memberId })
  if (member?.erasedAt && (!bought.isStored || isErasedPerson(member))) return undefined
  if (!isProven(owner.proof)) return unprovenNow(tx, owner, bought)
  if (owner.proof !== 'vendor' || bought.isStored) return owner
  const other = await provenOther(tx, owner, bought)
  if (other) return other
  return (await hasDeclined(tx, owner, bought)) ? undefined : owner
}

/** Whom something better than the vendor's word about many has made the customer since. */
async function provenOther(tx: Tx, { memberId }: Owner, { customerId }: Bought): Promise<Owner | undefined> {
  const link = customerId === '' ? undefined : await linkOfCustomer(tx, customerId)
  return link && isWhollyProven(link) && link.memberId !== memberId ? link : undefined
}

/** Whether the vendor's word about many names who has said that this, or its customer, is not theirs. */
async function hasDeclined(tx: Tx, { memberId }: Owner, { provider, objectId, customerId }: Bought): Promise<boolean> {
  const isOfObject = objectId !== '' && (await isDeclined(tx, { provider, objectId, memberId }))
  return isOfObject || (customerId !== '' && (await isDeclined(tx, { customerId, memberId })))
}

async function unprovenNow(
  tx: Tx,
  owner: Owner,
  { provider, objectId, customerId }: Bought,
): Promise<Owner | undefined> {
  const { memberId } = owner
  const linked = await linkedMember(tx, { provider, objectId })
  if (linked !== undefined) return { memberId: linked, proof: 'vendor' }
  if (await isDeclined(tx, { provider, objectId, memberId })) return undefined
  if (customerId === '') return owner
  const link = await linkOfCustomer(tx, customerId)
  if (link) return isWhollyProven(link) || (isProven(link.proof) && link.memberId !== memberId) ? link : owner
  return (await isDeclined(tx, { customerId, memberId })) ? undefined : owner
}
