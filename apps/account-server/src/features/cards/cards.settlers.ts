import type { Deps } from '../../deps.ts'
import { CardFailure } from '../../outside/card-failure.ts'
import type { Setup } from '../../outside/cards.ts'
import { isFresh } from '../payments/attempts.rules.ts'
import { settleAttempt } from '../payments/attempts.writes.ts'
import { customerIdOf } from '../payments/payments.queries.ts'
import type { Attempt } from '../payments/payments.tables.ts'
import { cancelAddition, settleAddition } from './card-additions.ts'
import { wasMade } from './cards.rules.ts'

/** The bank’s question may stay open so long. */
const givenUpAfter = 30 * 60_000

/** What ends an attempt of each purpose, for events and for the reconciler. */
export const cardSettlers = {
  'card.added': settleCardAddition,
  'card.updated': settleCardChange,
  'card.default_set': settleCardChange,
  'card.removed': settleCardChange,
}

async function settleCardAddition(deps: Deps, attempt: Attempt): Promise<void> {
  const customerId = await customerIdOf(deps.db, { id: attempt.memberId })
  const setup = customerId && (await knownOrNone(setupOf(deps, customerId, attempt)))
  if (!customerId || !setup) {
    // Nobody is at it any more, and the provider does not know of it.
    if (isFresh(attempt, deps.clock())) return
    await settleAttempt(deps, attempt, { status: 'failed', requestKey: null })
    return
  }
  const age = deps.clock().getTime() - attempt.createdAt.getTime()
  const isAbandoned = setup.status === 'requires_action' && age > givenUpAfter
  await (isAbandoned ? cancelAddition : settleAddition)(deps, attempt, { customerId, setup })
}

function setupOf({ cards }: Deps, customerId: string, { id, intentId }: Attempt): Promise<Setup | undefined> {
  return intentId ? cards.setup(intentId) : cards.setupOfAttempt(customerId, id)
}

/** A change whose answer was lost: whether it was made is seen in what the provider has. */
async function settleCardChange(deps: Deps, attempt: Attempt): Promise<void> {
  if (isFresh(attempt, deps.clock())) return
  const customerId = await customerIdOf(deps.db, { id: attempt.memberId })
  const stored = customerId ? await knownOrNone(deps.cards.cards(customerId)) : undefined
  const made = wasMade(attempt, stored ?? { cards: [], defaultId: '' })
  await settleAttempt(deps, attempt, { status: made ? 'succeeded' : 'failed' })
}

/** What the provider no longer knows (the vendor deleted it, or changed accounts) is none. */
async function knownOrNone<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof CardFailure && error.kind === 'missing') return undefined
    throw error
  }
}
