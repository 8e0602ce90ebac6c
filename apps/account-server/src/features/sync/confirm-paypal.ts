import { and, eq, lt, not } from 'drizzle-orm'
import { members } from '../../db/members.tables.ts'
import { isNobody } from '../../db/nobody.queries.ts'
import type { Deps } from '../../deps.ts'
import { ifKnown } from '../../outside/provider-failure.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

/**
 * The operator's word that the shop had confirmed the address of whatever was bought at PayPal before a moment. It is about the payer's
 * address: a custom id that nobody has signed may come from any browser, and no shop has confirmed it. What its member has said is not
 * theirs is nobody's: no address says whose it is.
 * @returns how many subscriptions are proven by it
 */
export async function confirmPaypal({ db, paypal }: Pick<Deps, 'db' | 'paypal'>, until: Date): Promise<number> {
  const { providerId, memberId, channel, proof, createdAt } = subscriptions
  const isByAddress = and(eq(channel, 'paypal'), eq(proof, 'address'), not(isNobody(memberId)))
  const rows = await db
    .select({ id: subscriptions.id, providerId, memberId, email: members.email })
    .from(subscriptions)
    .innerJoin(members, eq(members.id, memberId))
    .where(and(isByAddress, lt(createdAt, until), members.emailVerified))
    .orderBy(subscriptions.id)
  let raised = 0
  for (const { id, providerId, memberId: ofRead, email } of rows) {
    const given = await ifKnown(paypal.readSubscription(providerId ?? id))
    if (given?.payer.email !== email) continue
    // They may have said meanwhile that it is not theirs.
    const isAsRead = and(eq(subscriptions.id, id), eq(memberId, ofRead), eq(proof, 'address'))
    raised += (await db.update(subscriptions).set({ proof: 'vendor' }).where(isAsRead)).rowCount ?? 0
  }
  return raised
}
