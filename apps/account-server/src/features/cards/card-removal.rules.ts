import * as contract from '@atrium/contract/cards.ts'
import { Problem, problemWithData } from '@atrium/server-kit/problem.ts'
import type { StoredCard, StoredCards } from '../../outside/card-provider/cards.ts'
import { cardListFrom } from './cards.rules.ts'

export interface Removal {
  paymentMethodId: string
  /** The default is to pay for what the card alone pays for. */
  isReplaced: boolean
  /** Another card that takes over all that this one does; undefined: none. */
  successorId?: string | undefined
}

/** The subscriptions that a card alone pays for, and the names of their products. */
interface Paid {
  ids: readonly string[]
  products: string[]
  /** Whether any of them is billed for a further period. */
  isRenewing: boolean
}

interface Facts {
  /** At the customer that has the card. */
  stored: StoredCards & { isMain: boolean }
  /** Of all of the member's customers. */
  all: StoredCards
  paid: Paid
}

/** @throws Problem `not_found`: another customer's card looks like none */
export function cardIn({ cards }: StoredCards, paymentMethodId: string): StoredCard {
  const card = cards.find(({ id }) => id === paymentMethodId)
  if (!card) throw new Problem('not_found')
  return card
}

/**
 * With a successor any card may be removed. Without one neither the default (000 §4), nor a card that subscriptions are paid with,
 * unless the default is to pay for them, or there is none and nothing more is to pay.
 */
export function expectRemovable({ stored, all, paid }: Facts, asked: Removal, now: Date): void {
  const { paymentMethodId, isReplaced, successorId } = asked
  cardIn(stored, paymentMethodId)
  if (successorId !== undefined) {
    cardIn(stored, successorId)
    if (successorId === paymentMethodId) throw new Problem('not_found')
    return
  }
  if (stored.defaultId === paymentMethodId) {
    throw problemWithData(contract.removeCard, 'default_required', cardListFrom(all, now))
  }
  if (paid.ids.length === 0) return
  if (stored.defaultId === '') {
    if (!paid.isRenewing) return
    // Nothing would pay instead; only a card of the main customer can become the default.
    throw new Problem(stored.isMain ? 'default_card_needed' : 'card_pays_alone')
  }
  if (!isReplaced) throw problemWithData(contract.removeCard, 'card_in_use', { products: paid.products })
}
