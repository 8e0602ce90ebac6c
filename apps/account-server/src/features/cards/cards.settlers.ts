import type { Deps } from '../../deps.ts'
import { CardFailure } from '../../outside/card-failure.ts'
import type { StoredCards } from '../../outside/cards.ts'
import { settleAttempt } from '../payments/attempts.writes.ts'
import { customerIdOf } from '../payments/payments.queries.ts'
import type { Attempt } from '../payments/payments.tables.ts'
import { cancelAddition, settleAddition } from './card-additions.ts'

/** Longer than any request waits for the provider: what is not there by now was never taken. */
const neverTakenAfter = 45_000

/** The bank’s question may stay open so long. */
const givenUpAfter = 30 * 60_000

/** What ends an attempt of each purpose, for events and for the reconciler. */
export const cardSettlers = {
  'card.added': settleCardAddition,
  'card.updated': changeSettler(({ cards }, { id, paymentMethodId }) =>
    cards.some((card) => card.id === paymentMethodId && card.changedBy === id),
  ),
  'card.default_set': changeSettler(({ defaultId }, { paymentMethodId }) => defaultId === paymentMethodId),
  'card.removed': changeSettler(({ cards }, { paymentMethodId }) => !cards.some((card) => card.id === paymentMethodId)),
}

async function settleCardAddition(deps: Deps, attempt: Attempt): Promise<void> {
  const customerId = (await customerIdOf(deps.db, { id: attempt.memberId })) ?? ''
  const setup = attempt.intentId
    ? await deps.cards.setup(attempt.intentId)
    : await deps.cards.setupOfAttempt(customerId, attempt.id)
  const age = deps.clock().getTime() - attempt.createdAt.getTime()
  if (!setup) {
    if (age > neverTakenAfter) await settleAttempt(deps, attempt, { status: 'failed', requestKey: null })
    return
  }
  const isAbandoned = setup.status === 'requires_action' && age > givenUpAfter
  await (isAbandoned ? cancelAddition : settleAddition)(deps, attempt, { customerId, setup })
}

/** A change whose answer was lost: whether it was made is seen in what the provider has. */
function changeSettler(wasMade: (stored: StoredCards, attempt: Attempt) => boolean) {
  return async (deps: Deps, attempt: Attempt): Promise<void> => {
    const age = deps.clock().getTime() - attempt.createdAt.getTime()
    if (age <= neverTakenAfter) return
    const customerId = (await customerIdOf(deps.db, { id: attempt.memberId })) ?? ''
    const stored = await cardsOrNone(deps.cards.cards(customerId))
    await settleAttempt(deps, attempt, { status: wasMade(stored, attempt) ? 'succeeded' : 'failed' })
  }
}

async function cardsOrNone(cards: Promise<StoredCards>): Promise<StoredCards> {
  try {
    return await cards
  } catch (error) {
    if (error instanceof CardFailure && error.kind === 'missing') return { cards: [], defaultId: '' }
    throw error
  }
}
