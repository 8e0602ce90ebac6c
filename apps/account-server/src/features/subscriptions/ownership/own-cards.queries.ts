import type { Db, Reader } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm'
import type { CardProvider } from '../../../outside/card-provider/card-provider.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { subjectsOfSucceeded } from '../../payments/operations/operations.queries.ts'
import { providerOperations } from '../../payments/operations/operations.tables.ts'

/**
 * Whether a member has a card of their own at a customer, or one is being put on file there: it would go on paying for somebody else.
 * @param idle ids of cards that pay for nothing there
 */
export async function hasOwnCardAt(
  db: Reader,
  member: { id: string },
  { customerId, idle = [] }: { customerId: string; idle?: readonly string[] | undefined },
): Promise<boolean> {
  const { memberId, kind, status, input, subject } = providerOperations
  const isTheirs = and(eq(memberId, member.id), sql`${input} @> ${JSON.stringify({ customerId })}::jsonb`)
  const removed = db
    .select({ subject })
    .from(providerOperations)
    .where(and(isTheirs, eq(kind, 'card.remove'), eq(status, 'succeeded')))
  const isOnFile = and(eq(status, 'succeeded'), notInArray(subject, [...idle]))
  const isAdded = and(eq(kind, 'card.add'), or(inArray(status, ['pending', 'requires_action']), isOnFile))
  return (await db.$count(providerOperations, and(isTheirs, isAdded, notInArray(subject, removed)))) > 0
}

interface CustomerCards {
  customerId: string
  memberIds: readonly string[]
  /** The provider's id of the only subscription that counts; left out: all do. */
  only?: string
}

/**
 * Ids of the cards that members have put on file at a customer and that pay for nothing there, or are not there any more: what is paid by
 * default, and renews, is paid by another one.
 */
export async function idleCardsAt(
  { db, cards }: { db: Db; cards: Pick<CardProvider, 'cards' | 'subscriptionsPaidBy'> },
  { customerId, memberIds, only }: CustomerCards,
): Promise<string[]> {
  const asked = { kind: 'card.add', input: { customerId } } as const
  const own: string[] = []
  for (const id of new Set(memberIds)) own.push(...(await subjectsOfSucceeded(db, { id }, asked)))
  if (own.length === 0) return []
  const stored = await ifKnown(cards.cards(customerId))
  const pays = async (paymentMethodId: string) => {
    if (!stored?.cards.some(({ id }) => id === paymentMethodId)) return false
    if (stored.defaultId === paymentMethodId) return true
    const paid = await cards.subscriptionsPaidBy({ customerId, paymentMethodId })
    return paid.some(({ id, isEnding }) => !isEnding && (only === undefined || id === only))
  }
  const idle: string[] = []
  for (const id of own) if (!(await pays(id))) idle.push(id)
  return idle
}
