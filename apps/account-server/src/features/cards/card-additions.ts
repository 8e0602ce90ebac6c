import type { Deps } from '../../deps.ts'
import { CardFailure } from '../../outside/card-failure.ts'
import type { Setup } from '../../outside/cards.ts'
import { noteAttempt, settleAttempt } from '../payments/attempts.writes.ts'
import type { Attempt } from '../payments/payments.tables.ts'

export const additionPurpose = 'card.added'

type Needs = Pick<Deps, 'db' | 'clock' | 'cards'>

interface Known {
  customerId: string
  setup: Setup
}

/**
 * Takes over what the provider says of a card that is being put on file. Whoever hears of it first does it: the request,
 * an event, the reconciler. A refused try leaves no intent with which another card could be tried.
 */
export async function settleAddition(deps: Needs, attempt: Attempt, { customerId, setup }: Known): Promise<Attempt> {
  const intentId = setup.id
  switch (setup.status) {
    case 'succeeded':
      await makeFirstDefault(deps, customerId, attempt)
      return settleAttempt(deps, attempt, { status: 'succeeded', intentId })
    case 'requires_action':
      return noteAttempt(deps, attempt, { status: 'requires_action', intentId })
    case 'processing':
      return noteAttempt(deps, attempt, { intentId })
    case 'canceled':
      return settleAttempt(deps, attempt, attempt.declinedAt ? { intentId } : { ...notConfirmed, intentId })
    default: {
      const declined = await noteAttempt(deps, attempt, {
        status: 'declined',
        problem: 'card_refused',
        detail: setup.refusal,
        intentId,
      })
      return cancelAddition(deps, declined, { customerId, setup })
    }
  }
}

const notConfirmed = { status: 'canceled', problem: 'card_not_confirmed' } as const

/** Gives the intent up at the provider; if it ended otherwise in the meantime, that holds. */
export async function cancelAddition(deps: Needs, attempt: Attempt, { customerId, setup }: Known): Promise<Attempt> {
  const ended = await canceledOrEnded(deps, setup)
  return settleAddition(deps, attempt, { customerId, setup: ended })
}

async function canceledOrEnded({ cards }: Needs, setup: Setup): Promise<Setup> {
  try {
    return await cards.cancelSetup(setup.id)
  } catch (error) {
    if (error instanceof CardFailure && error.kind === 'ended') return cards.setup(setup.id)
    throw error
  }
}

/** The first card is the default: there is always one. */
async function makeFirstDefault({ cards }: Needs, customerId: string, { id, paymentMethodId }: Attempt): Promise<void> {
  const stored = await cards.cards(customerId)
  const isThere = stored.cards.some((card) => card.id === paymentMethodId)
  if (stored.defaultId !== '' || !isThere) return
  try {
    await cards.setDefaultCard({ customerId, paymentMethodId, attemptId: `${id}-default` })
  } catch (error) {
    // Removed again in this moment: then it need not be the default.
    if (!(error instanceof CardFailure && ['missing', 'invalid'].includes(error.kind))) throw error
  }
}
