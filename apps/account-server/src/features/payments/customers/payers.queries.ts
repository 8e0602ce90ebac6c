import type { Db } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { memberIdsByEmail } from '../../../db/members.queries.ts'
import { members } from '../../../db/members.tables.ts'
import type { PaypalSubscription } from '../../../outside/paypal/subscriptions.ts'

/**
 * The member who pays at PayPal: named by the subscription's custom id (a member's id, or the address that a shop asked for), else
 * with the verified address of the payer's account; undefined for nobody here.
 */
export async function memberIdOfPayer(
  db: Db,
  { customId, payer }: Pick<PaypalSubscription, 'customId' | 'payer'>,
): Promise<string | undefined> {
  if (z.uuid().safeParse(customId).success) {
    const [row] = await db.select({ id: members.id }).from(members).where(eq(members.id, customId))
    if (row) return row.id
  }
  const [named, paying] = [customId.trim().toLowerCase(), payer.email.toLowerCase()]
  const found = await db.transaction((tx) => memberIdsByEmail(tx, [named, paying]))
  return found.get(named.includes('@') ? named : paying)
}
