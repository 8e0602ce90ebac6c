import type { Reader } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { providerOperations } from '../../payments/operations/operations.tables.ts'

/** Whether a member has a card of their own at a customer, or one is being put on file there: it would go on paying for somebody else. */
export async function hasOwnCardAt(db: Reader, member: { id: string }, customerId: string): Promise<boolean> {
  const { memberId, kind, status, input, subject } = providerOperations
  const isTheirs = and(eq(memberId, member.id), sql`${input} @> ${JSON.stringify({ customerId })}::jsonb`)
  const removed = db
    .select({ subject })
    .from(providerOperations)
    .where(and(isTheirs, eq(kind, 'card.remove'), eq(status, 'succeeded')))
  const isAdded = and(eq(kind, 'card.add'), inArray(status, ['pending', 'requires_action', 'succeeded']))
  return (await db.$count(providerOperations, and(isTheirs, isAdded, notInArray(subject, removed)))) > 0
}
