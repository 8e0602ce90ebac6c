import * as contract from '@atrium/contract/cards.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem, problemWithData } from '@atrium/server-kit/problem.ts'
import { z } from 'zod'
import { isCardExpired } from '../../db/calendar.rules.ts'
import type { Deps } from '../../deps.ts'
import type { Holder, StoredCard, StoredCards } from '../../outside/card-provider/cards.ts'
import { ifKnown, ProviderFailure } from '../../outside/provider-failure.ts'
import { record } from '../activity/activity.writes.ts'
import { productsOfPrices } from '../catalog/catalog.queries.ts'
import { customerIdOf } from '../payments/customers/customers.queries.ts'
import { type AnyDefinition, type Operation, operation } from '../payments/operations/definition.ts'
import type { OperationRow } from '../payments/operations/operations.tables.ts'
import { cardListFrom, declinedNewCard, lacksPayingDefault } from './cards.rules.ts'
import { cardsOf } from './member-cards.ts'

/** Problems that every card operation may have. */
export const codes = {
  unavailable: 'card_provider_unavailable',
  unknown: 'card_outcome_unknown',
  excluded: 'card_change_pending',
} as const

/** A card of a customer. */
export const OnCard = z.object({ customerId: z.string(), paymentMethodId: z.string() })
export type OnCard = z.infer<typeof OnCard>

/** The provider's refusal as a problem for the customer. */
export function refuse(failure: ProviderFailure) {
  const { kind } = failure
  if (kind === 'missing') return { status: 'failed', problem: 'not_found' } as const
  if (kind === 'unavailable') return { status: 'failed', problem: codes.unavailable } as const
  return declinedNewCard(failure)
}

/** One activity row for what a customer did; child operations have none. */
export async function recordDone(
  tx: Tx,
  { parentId, memberId: id, address, requestId }: Operation<unknown>,
  happening: Parameters<typeof record>[2],
): Promise<void> {
  if (parentId === null) await record(tx, { id, address, requestId }, happening)
}

/** They exclude each other, so that making a card the default and removing it cannot both succeed. */
function changesOfCards(): readonly AnyDefinition[] {
  return [updateCard, setDefaultCard, removeCard]
}

interface OfCustomer {
  customerId: string
  stored: StoredCards
}

/** The provider's current list, from which a change is decided. */
async function readCards(deps: Deps, member: Member): Promise<OfCustomer> {
  const customerId = await customerIdOf(deps.db, member)
  if (!customerId) throw new Problem('not_found')
  return { customerId, stored: await cardsOf(deps, customerId) }
}

/** @throws Problem `not_found`: another customer's card looks like none */
function cardIn({ cards }: StoredCards, paymentMethodId: string): StoredCard {
  const card = cards.find(({ id }) => id === paymentMethodId)
  if (!card) throw new Problem('not_found')
  return card
}

/** The card was removed from the customer after the list was read. */
function refuseGone(failure: ProviderFailure, { parentId }: Pick<OperationRow, 'parentId'>) {
  const isGone = failure.kind === 'missing' || failure.kind === 'invalid'
  if (isGone && parentId !== null) return { status: 'canceled' } as const
  return isGone ? ({ status: 'failed', problem: 'not_found' } as const) : refuse(failure)
}

const HolderFields = z.object({
  firstName: z.string(),
  lastName: z.string(),
  address: z.object({
    line1: z.string(),
    city: z.string(),
    state: z.string(),
    country: z.string(),
    postalCode: z.string(),
  }),
})

/** Replaces a card's holder (000 §7). */
export const updateCard = operation({
  kind: 'card.update',
  provider: 'card',
  input: OnCard.extend({ before: HolderFields, after: HolderFields }),
  codes,
  excludes: changesOfCards,
  read: (deps, member, _asked: { paymentMethodId: string; holder: Holder }) => readCards(deps, member),
  async decide(_tx, { asked: { paymentMethodId, holder: after }, facts: { customerId, stored } }) {
    const before = HolderFields.parse(cardIn(stored, paymentMethodId))
    return { is: 'new', subject: paymentMethodId, input: { customerId, paymentMethodId, before, after } }
  },
  call: ({ cards }, { id: operationId, input: { paymentMethodId, after } }) =>
    cards.updateCard({ paymentMethodId, operationId }, after),
  async find({ cards }, { id, input: { customerId, paymentMethodId } }) {
    const stored = await ifKnown(cards.cards(customerId))
    return stored?.cards.find((card) => card.id === paymentMethodId && card.changedBy === id)
  },
  async apply(tx, updated, { now }) {
    const { paymentMethodId: target, before, after } = updated.input
    await recordDone(tx, updated, { action: 'card.updated', target, details: { before, after }, now })
    return { status: 'succeeded' }
  },
  refuse,
})

/** Longer than a call of the provider takes. */
const longestCallMs = 15_000

/** Makes a card the default; for a new one this happens automatically while no card on file would pay (`lacksPayingDefault`). */
export const setDefaultCard = operation({
  kind: 'card.set_default',
  provider: 'card',
  input: OnCard.extend({
    /** Only while no default would pay. The name is from when that meant the first card alone; stored operations have it. */
    isOnlyFirst: z.boolean().default(false),
  }),
  codes,
  excludes: changesOfCards,
  read: (deps, member, _asked: { paymentMethodId: string }) => readCards(deps, member),
  async decide(_tx, { asked: { paymentMethodId }, facts: { customerId, stored } }) {
    cardIn(stored, paymentMethodId)
    if (stored.defaultId === paymentMethodId) return { is: 'nothing_to_do' }
    return { is: 'new', subject: paymentMethodId, input: { customerId, paymentMethodId, isOnlyFirst: false } }
  },
  async call({ cards, clock, wallClock }, { input }) {
    const begunAt = wallClock()
    if (input.isOnlyFirst && !mayReplaceDefault(await cards.cards(input.customerId), input, clock())) {
      return { isDone: true }
    }
    // A process that stood still in between must not override what the customer has chosen since.
    if (wallClock().getTime() - begunAt.getTime() > longestCallMs) {
      throw new ProviderFailure('unknown', new Error('the process stood still'))
    }
    await cards.setDefaultCard(input)
    return { isDone: true }
  },
  async find({ cards, clock }, { input: { customerId, paymentMethodId, isOnlyFirst } }) {
    const stored = await ifKnown(cards.cards(customerId))
    const isDone =
      stored && (stored.defaultId === paymentMethodId || (isOnlyFirst && !lacksPayingDefault(stored, clock())))
    return isDone ? { isDone } : undefined
  },
  async apply(tx, changed, { now }) {
    await recordDone(tx, changed, { action: 'card.default_set', target: changed.input.paymentMethodId, now })
    return { status: 'succeeded' }
  },
  refuse: refuseGone,
})

/** A new card that is still on file, and would pay itself. */
function mayReplaceDefault(stored: StoredCards, { paymentMethodId }: OnCard, now: Date): boolean {
  const card = stored.cards.find(({ id }) => id === paymentMethodId)
  if (!card || !lacksPayingDefault(stored, now)) return false
  return stored.defaultId === '' || !isCardExpired(card, now)
}

/** Subscriptions that a card alone pays for, and the names of their products. */
async function paidSubscriptions(deps: Deps, card: OnCard) {
  const paid = await deps.cards.subscriptionsPaidBy(card)
  const names = await productsOfPrices(
    deps.db,
    paid.flatMap(({ priceIds }) => priceIds),
  )
  const products = new Set(paid.flatMap(({ priceIds: [first = ''] }) => names.get(first)?.name ?? []))
  return { ids: paid.map(({ id }) => id), products: [...products] }
}

/**
 * Removes a card. Not the default, which needs a successor first (000 §4); nor one that subscriptions are paid with, unless the
 * default is to pay for them (behaviour.md, "Cards").
 */
export const removeCard = operation({
  kind: 'card.remove',
  provider: 'card',
  input: OnCard.extend({ replacedIn: z.array(z.string()).default([]) }),
  codes,
  excludes: changesOfCards,
  async read(deps, member, { paymentMethodId }: { paymentMethodId: string; isReplaced: boolean }) {
    const { customerId, stored } = await readCards(deps, member)
    return { customerId, stored, paid: await paidSubscriptions(deps, { customerId, paymentMethodId }) }
  },
  async decide(_tx, { asked: { paymentMethodId, isReplaced }, facts: { customerId, stored, paid }, now }) {
    cardIn(stored, paymentMethodId)
    if (stored.defaultId === paymentMethodId) {
      throw problemWithData(contract.removeCard, 'default_required', cardListFrom(stored, now))
    }
    // Nothing would pay instead.
    if (paid.ids.length > 0 && stored.defaultId === '') throw new Problem('default_card_needed')
    if (paid.ids.length > 0 && !isReplaced) {
      throw problemWithData(contract.removeCard, 'card_in_use', { products: paid.products })
    }
    return { is: 'new', subject: paymentMethodId, input: { customerId, paymentMethodId, replacedIn: paid.ids } }
  },
  async call({ cards }, { input }) {
    for (const subscription of input.replacedIn) await cards.payByDefaultCard(subscription)
    await cards.removeCard(input.paymentMethodId)
    return { isDone: true }
  },
  async find({ cards }, { input: { customerId, paymentMethodId } }) {
    const stored = await ifKnown(cards.cards(customerId))
    // Its cards are gone with a customer that was deleted; one that the key does not know, of another account, says nothing.
    const isGone = stored
      ? !stored.cards.some(({ id }) => id === paymentMethodId)
      : await cards.isCustomerDeleted(customerId)
    return isGone ? { isDone: true } : undefined
  },
  async apply(tx, removed, { now }) {
    await recordDone(tx, removed, { action: 'card.removed', target: removed.input.paymentMethodId, now })
    return { status: 'succeeded' }
  },
  refuse: refuseGone,
})
