import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq } from 'drizzle-orm'
import { subscriptions } from './subscriptions.tables.ts'

/**
 * What its Owner has bought through a partner is paid there: nothing is quoted, charged or put in the place of what pays for it here. What
 * is not theirs is refused by whatever asks for it.
 * @throws Problem `bought_through_partner`
 */
export async function expectPaidHere(db: Reader, member: Pick<Member, 'id'>, sid: string): Promise<void> {
  const isTheirs = and(eq(subscriptions.id, sid), eq(subscriptions.memberId, member.id))
  if ((await db.$count(subscriptions, and(isTheirs, subscriptions.isPriceHidden))) > 0) {
    throw new Problem('bought_through_partner')
  }
}
