import type { Reader } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { members } from '../../../db/members.tables.ts'
import type { PaypalSubscription } from '../../../outside/paypal/subscriptions.ts'
import { type ClaimRules, type Owner, ownersOf } from './customer-claims.queries.ts'

/**
 * Whose a subscription of PayPal is. Its custom id is proof only if the vendor's shop has signed it: with the public client id a page
 * can create a subscription with any custom id. Another one names a member by id or address, else the payer's address does.
 * @returns undefined: nobody's here
 */
export async function ownerOfPayer(
  db: Reader,
  { customId, payer, createdAt }: Pick<PaypalSubscription, 'customId' | 'payer' | 'createdAt'>,
  { secrets }: Pick<ClaimRules, 'secrets'>,
): Promise<Owner | undefined> {
  const [named, paying] = [customId.trim().toLowerCase(), payer.email.toLowerCase()]
  const email = named.includes('@') ? named : paying
  const [owner] = await ownersOf(db, [{ memberId: '', reference: customId, email, createdAt }], { secrets })
  if (owner?.proof === 'signed' || !z.uuid().safeParse(customId).success) return owner
  const [row] = await db.select({ id: members.id }).from(members).where(eq(members.id, customId))
  return row ? { memberId: row.id, proof: 'address' } : owner
}
