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
  const own = await cardsOnFile(db, member)
  return own.filter(({ customerId }) => !deleted.includes(customerId)).map(removal)
}

/** The same of one customer. */
export async function removalsAt(db: Reader, member: { id: string }, customerId: string): Promise<NextOperation[]> {
  const own = await cardsOnFile(db, member)
  return own.filter((card) => card.customerId === customerId).map(removal)
}

async function cardsOnFile(db: Reader, member: { id: string }): Promise<OnCard[]> {
  const { memberId, kind, status, input, subject } = providerOperations
  const isAdded = and(eq(memberId, member.id), eq(kind, 'card.add'), eq(status, 'succeeded'))
  const added = await db.selectDistinctOn([subject], { input }).from(providerOperations).where(isAdded)
  const removed = await subjectsOfSucceeded(db, member, { kind: 'card.remove', input: {} })
  return added.map((row) => OnCard.parse(row.input)).filter(({ paymentMethodId }) => !removed.has(paymentMethodId))
}

function removal(card: OnCard): NextOperation {
  return { definition: removeCard, plan: { subject: card.paymentMethodId, input: card } }
}
