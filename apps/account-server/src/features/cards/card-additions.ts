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
      if (setup.paymentMethodId !== attempt.paymentMethodId) return refuseOther(deps, attempt, setup)
      await makeFirstDefault(deps, customerId, attempt)
      return settleAttempt(deps, attempt, { status: 'succeeded', intentId })
    case 'requires_action':
      return noteAttempt(deps, attempt, { status: 'requires_action', intentId })
    case 'processing':
      return noteAttempt(deps, attempt, { intentId })
    case 'canceled':
      return settleAttempt(deps, attempt, {
        status: 'canceled',
        problem: 'card_not_confirmed',
        intentId,
      })
    default: {
      const declines = await deps.cards.declinesOf(intentId)
      const refused = await noteAttempt(deps, attempt, {
        status: declines > 0 ? 'declined' : 'canceled',
        problem: 'card_refused',
        detail: setup.refusal,
        declines,
        intentId,
      })
      return cancelAddition(deps, refused, { customerId, setup })
    }
  }
}

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

/** With the intent’s secret somebody put another card on file than was counted: it does not stay. */
async function refuseOther(deps: Needs, attempt: Attempt, setup: Setup): Promise<Attempt> {
  const { id: intentId, paymentMethodId } = setup
  const declines = await deps.cards.declinesOf(intentId)
  if (paymentMethodId) await removed(deps, paymentMethodId)
  return settleAttempt(deps, attempt, { status: 'declined', problem: 'card_refused', declines, intentId })
}

async function removed({ cards }: Needs, paymentMethodId: string): Promise<void> {
  try {
    await cards.removeCard(paymentMethodId)
  } catch (error) {
    // It is gone already.
    if (!(error instanceof CardFailure && ['missing', 'invalid'].includes(error.kind))) throw error
  }
}

/** The first card is the default: there is always one. */
async function makeFirstDefault({ cards }: Needs, customerId: string, { paymentMethodId }: Attempt): Promise<void> {
  try {
    const stored = await cards.cards(customerId)
    const isThere = stored.cards.some((card) => card.id === paymentMethodId)
    if (stored.defaultId !== '' || !isThere) return
    await cards.setDefaultCard({ customerId, paymentMethodId })
  } catch (error) {
    // Removed again in this moment, or the customer with it: then it need not be the default.
    if (!(error instanceof CardFailure && ['missing', 'invalid'].includes(error.kind))) throw error
  }
}
