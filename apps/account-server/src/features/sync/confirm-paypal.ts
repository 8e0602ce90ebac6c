import type { Db } from '@atrium/server-kit/database.ts'
import { and, eq, lt, not } from 'drizzle-orm'
import { isNobody } from '../subscriptions/ownership/nobody.queries.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

/**
 * The operator's word that the shop had confirmed the address of whatever was bought at PayPal before a moment. What its member has said is
 * not theirs is nobody's: no address says whose it is.
 * @returns how many subscriptions are proven by it
 */
export function confirmPaypal(db: Db, until: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const isMeant = and(
      eq(subscriptions.channel, 'paypal'),
      eq(subscriptions.proof, 'address'),
      lt(subscriptions.createdAt, until),
      not(isNobody(subscriptions.memberId)),
    )
    return (await tx.update(subscriptions).set({ proof: 'vendor' }).where(isMeant)).rowCount ?? 0
  })
}
