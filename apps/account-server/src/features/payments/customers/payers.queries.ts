import { emailForm } from '@atrium/contract/email.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { members } from '../../../db/members.tables.ts'
import type { PaypalSubscription } from '../../../outside/paypal/subscriptions.ts'
import { isDeclined, linkedMember } from '../unmatched/unmatched.queries.ts'
import { type Claim, type ClaimRules, type Owner, ownersOf } from './customer-claims.queries.ts'
import { isProven } from './link-proofs.rules.ts'

type Given = Pick<PaypalSubscription, 'id' | 'customId' | 'payer' | 'createdAt'>

/**
 * Whose a subscription of PayPal is. Its custom id is proof only if the vendor's shop has signed it: with the public client id a page
 * can create a subscription with any custom id. Another one names a member by id or address, else the payer's address does.
 * @returns undefined: nobody's here, or the member has said that it is not theirs
 */
export async function ownerOfPayer(
  db: Reader,
  given: Given,
  rules: Pick<ClaimRules, 'secrets'>,
): Promise<Owner | undefined> {
  const linked = await linkedMember(db, { provider: 'paypal', objectId: given.id })
  if (linked !== undefined) return { memberId: linked, proof: 'vendor' }
  const owner = await namedOwner(db, given, rules)
  if (!owner || isProven(owner.proof)) return owner
  return (await isDeclined(db, { provider: 'paypal', objectId: given.id, memberId: owner.memberId }))
    ? undefined
    : owner
}

/** What a subscription of PayPal says about whose it is. */
export function claimOfPayer({ customId, payer, createdAt }: Given): Claim {
  const named = emailForm(customId)
  const email = named.includes('@') ? named : payer.email
  return { memberId: '', reference: customId, email, createdAt }
}

async function namedOwner(
  db: Reader,
  given: Given,
  { secrets }: Pick<ClaimRules, 'secrets'>,
): Promise<Owner | undefined> {
  const { customId } = given
  const [owner] = await ownersOf(db, [claimOfPayer(given)], { secrets })
  if (owner?.proof === 'signed' || !z.uuid().safeParse(customId).success) return owner
  const isHere = and(eq(members.id, customId), isNull(members.erasedAt))
  const [row] = await db.select({ id: members.id }).from(members).where(isHere)
  return row ? { memberId: row.id, proof: 'address' } : owner
}
