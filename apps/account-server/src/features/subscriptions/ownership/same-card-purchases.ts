import type { Db } from '@atrium/server-kit/database.ts'
import { and, asc, eq } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { CardProvider } from '../../../outside/card-provider/card-provider.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'
import { subjectsOfSucceeded } from '../../payments/operations/operations.queries.ts'
import { subscriptions } from '../subscriptions.tables.ts'

interface CardDeps {
  db: Db
  cards: Pick<CardProvider, 'fingerprintsOf' | 'firstPayingCard'>
}

/**
 * At a customer who is partly proven, what was first paid with a card that the member has at the main one is as certainly theirs as the
 * customer is. It takes no proof of its own: whom the vendor names there has it.
 */
export async function proveSameCards(needs: CardDeps, of?: { memberId: string }): Promise<void> {
  const { db, cards } = needs
  for (const typed of await typedAtPartlyProven(db, of?.memberId)) {
    const own = (await ifKnown(cards.fingerprintsOf(typed.mainId))) ?? []
    const { customerId: customer, providerId: subscription } = typed
    const first = subscription && (await ifKnown(cards.firstPayingCard({ customer, subscription })))
    if (!first || !own.some(({ fingerprint }) => fingerprint === first.fingerprint)) continue
    const { id, memberId, customerId } = typed
    const added = await subjectsOfSucceeded(db, { id: memberId }, { kind: 'card.add', input: { customerId } })
    if (added.has(first.paymentMethodId)) continue
    const isStill = and(eq(subscriptions.memberId, memberId), eq(subscriptions.proof, 'address'))
    await db
      .update(subscriptions)
      .set({ proof: null })
      .where(and(eq(subscriptions.id, id), isStill))
  }
}

function typedAtPartlyProven(db: Db, memberId: string | undefined) {
  const { id, providerId, customerId, memberId: owner, proof } = subscriptions
  const main = alias(providerCustomers, 'main')
  const isPayer = and(eq(providerCustomers.customerId, customerId), eq(providerCustomers.memberId, owner))
  return db
    .select({ id, providerId, memberId: owner, customerId: providerCustomers.customerId, mainId: main.customerId })
    .from(subscriptions)
    .innerJoin(providerCustomers, and(isPayer, providerCustomers.isPartlyProven))
    .innerJoin(main, and(eq(main.memberId, owner), main.isMain))
    .where(and(eq(proof, 'address'), memberId === undefined ? undefined : eq(owner, memberId)))
    .orderBy(asc(id))
}
