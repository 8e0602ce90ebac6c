import type { CardEdit, CardList } from '@atrium/contract/cards.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { CardFailure } from '../../outside/card-failure.ts'
import type { StoredCard, StoredCards } from '../../outside/cards.ts'
import { isFresh } from '../payments/attempts.rules.ts'
import { beginAttempt, settleAttempt } from '../payments/attempts.writes.ts'
import { inTurn } from '../payments/customers.writes.ts'
import { customerIdOf, unsettledOf } from '../payments/payments.queries.ts'
import type { Attempt } from '../payments/payments.tables.ts'
import { cardListFrom, wasMade } from './cards.rules.ts'
import { cardsOf, holderFrom } from './cards.service.ts'

type Needs = Pick<Deps, 'db' | 'clock' | 'cards' | 'logger'>

interface Call {
  customerId: string
  paymentMethodId: string
  attemptId: string
}

interface Change {
  purpose: 'card.updated' | 'card.default_set' | 'card.removed'
  paymentMethodId: string
  /** Decided by the list that the provider has now: a problem, or that it is so already. */
  refusal?(stored: StoredCards): 'default_required' | 'is_so_already' | undefined
  /** Before and after of fields that are no secrets. */
  details?(stored: StoredCards): Readonly<Record<string, unknown>>
  /** Asks the provider; answers what the list is afterwards. */
  run(call: Call, stored: StoredCards): Promise<StoredCards>
}

/** The full record (000 §7). */
export function updateCard(deps: Needs, member: Member, { id, edit }: { id: string; edit: CardEdit }) {
  const holder = holderFrom(edit)
  return changeCard(deps, member, {
    purpose: 'card.updated',
    paymentMethodId: id,
    details({ cards }) {
      const before = cards.find((card) => card.id === id)
      return { before: before && holderOf(before), after: holder }
    },
    async run(call, { cards, defaultId }) {
      const changed = await deps.cards.updateCard(call, holder)
      return { cards: cards.map((card) => (card.id === id ? changed : card)), defaultId }
    },
  })
}

function holderOf({ firstName, lastName, address }: StoredCard) {
  return { firstName, lastName, address }
}

export function setDefaultCard(deps: Needs, member: Member, id: string): Promise<CardList> {
  return changeCard(deps, member, {
    purpose: 'card.default_set',
    paymentMethodId: id,
    refusal: ({ defaultId }) => (defaultId === id ? 'is_so_already' : undefined),
    async run(call, { cards }) {
      await deps.cards.setDefaultCard(call)
      return { cards, defaultId: id }
    },
  })
}

/** The default stays until another one is (000 §4). */
export function removeCard(deps: Needs, member: Member, id: string): Promise<CardList> {
  return changeCard(deps, member, {
    purpose: 'card.removed',
    paymentMethodId: id,
    refusal: ({ defaultId }) => (defaultId === id ? 'default_required' : undefined),
    async run(call, { cards, defaultId }) {
      await deps.cards.removeCard(call.paymentMethodId)
      return { cards: cards.filter((card) => card.id !== id), defaultId }
    },
  })
}

/** One at a time, so that making a card the default and removing it cannot both succeed. */
async function changeCard(deps: Needs, member: Member, change: Change): Promise<CardList> {
  const { db, clock } = deps
  const customerId = await customerIdOf(db, member)
  if (!customerId) throw new Problem('not_found')

  return inTurn(deps, member.id, async () => {
    const stored = await cardsOf(deps, customerId)
    await settleEarlier(deps, member, stored)
    const { purpose, paymentMethodId, details } = change
    if (!stored.cards.some(({ id }) => id === paymentMethodId)) throw new Problem('not_found')
    const refusal = change.refusal?.(stored)
    if (refusal === 'is_so_already') return cardListFrom(stored, clock())
    if (refusal) throw new Problem(refusal)

    const attempt = await db.transaction((tx) =>
      beginAttempt(tx, member, { purpose, paymentMethodId, details: details?.(stored) ?? {}, now: clock() }),
    )
    const changed = await ended(
      deps,
      attempt,
      change.run({ customerId, paymentMethodId, attemptId: attempt.id }, stored),
    )
    await settleAttempt(deps, attempt, { status: 'succeeded' })
    return cardListFrom(changed, clock())
  })
}

const changes = ['card.updated', 'card.default_set', 'card.removed']

/** A change of which nobody knows what came of it is found out before the next: what that one is decided by must hold. */
async function settleEarlier(deps: Needs, member: Member, stored: StoredCards): Promise<void> {
  for (const attempt of await unsettledOf(deps.db, member, changes)) {
    // The provider may still be at it.
    if (isFresh(attempt, deps.clock())) throw new Problem('card_change_pending')
    await settleAttempt(deps, attempt, { status: wasMade(attempt, stored) ? 'succeeded' : 'failed' })
  }
}

/** Where nobody knows what came of it, the attempt stays open: it is found out within two minutes. */
async function ended(deps: Needs, attempt: Attempt, call: Promise<StoredCards>): Promise<StoredCards> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof CardFailure)) throw error
    if (error.kind === 'unknown') throw new Problem('card_outcome_unknown', { cause: error })
    await settleAttempt(deps, attempt, { status: 'failed', detail: error.code })
    // Gone from the customer since the list was read.
    if (error.kind === 'invalid' && attempt.purpose !== 'card.updated') throw new Problem('not_found')
    throw problemOf(error)
  }
}

/** The provider did not do it. */
export function problemOf(failure: CardFailure): Problem {
  if (failure.kind === 'missing') return new Problem('not_found')
  if (failure.kind === 'refused' || failure.kind === 'invalid') {
    return new Problem('card_refused', failure.sentence ? { detail: failure.sentence } : {})
  }
  return new Problem('card_provider_unavailable', { retryAfter: 5, cause: failure })
}
