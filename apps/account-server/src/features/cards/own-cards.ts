import type { Reader } from '@atrium/server-kit/database.ts'
import { and, eq } from 'drizzle-orm'
import type { NextOperation } from '../payments/operations/definition.ts'
import { subjectsOfSucceeded } from '../payments/operations/operations.queries.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { OnCard, removeCard } from './card-changes.operations.ts'

/**
 * What removes the cards that a member has put on file at customers of the card provider who stay there, since they may be somebody else.
 * @param deleted ids of customers that are deleted with their cards
 */
export async function removalsOfCards(
  db: Reader,
  member: { id: string },
  deleted: readonly string[],
): Promise<NextOperation[]> {
  const { memberId, kind, status, input, subject } = providerOperations
  const isAdded = and(eq(memberId, member.id), eq(kind, 'card.add'), eq(status, 'succeeded'))
  const added = await db.selectDistinctOn([subject], { input }).from(providerOperations).where(isAdded)
  const removed = await subjectsOfSucceeded(db, member, { kind: 'card.remove', input: {} })
  return added
    .map((row) => OnCard.parse(row.input))
    .filter(({ customerId, paymentMethodId }) => !deleted.includes(customerId) && !removed.has(paymentMethodId))
    .map((card) => ({ definition: removeCard, plan: { subject: card.paymentMethodId, input: card } }))
}
