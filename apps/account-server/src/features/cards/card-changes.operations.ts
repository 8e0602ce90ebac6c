import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { z } from 'zod'
import { isCardExpired } from '../../db/calendar.rules.ts'
import type { Deps } from '../../deps.ts'
import type { Holder, StoredCards } from '../../outside/card-provider/cards.ts'
import { ifKnown, ProviderFailure } from '../../outside/provider-failure.ts'
import { record } from '../activity/activity.writes.ts'
import { productsOfPrices } from '../catalog/catalog.queries.ts'
import { type AnyDefinition, type Operation, operation } from '../payments/operations/definition.ts'
import type { OperationRow } from '../payments/operations/operations.tables.ts'
import { cardIn, expectRemovable, type Removal } from './card-removal.rules.ts'
import { declinedNewCard, lacksPayingDefault } from './cards.rules.ts'
import { type CustomerCards, cardsByCustomer, cardsOfAll } from './member-cards.ts'

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
  /** The one that has the card. */
  customerId: string
  stored: CustomerCards
  /** Of all of the member's customers. */
  customers: readonly CustomerCards[]
}

/** The provider's current lists, from which a change of a card is decided. @throws Problem `not_found` */
async function readCards(deps: Deps, member: Member, paymentMethodId: string): Promise<OfCustomer> {
  const customers = await cardsByCustomer(deps, member)
  const stored = customers.find(({ cards }) => cards.some(({ id }) => id === paymentMethodId))
  if (!stored) throw new Problem('not_found')
  return { customerId: stored.customerId, stored, customers }
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
  read: (deps, member, { paymentMethodId }: { paymentMethodId: string; holder: Holder }) =>
    readCards(deps, member, paymentMethodId),
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
  read: (deps, member, { paymentMethodId }: { paymentMethodId: string }) => readCards(deps, member, paymentMethodId),
  async decide(_tx, { asked: { paymentMethodId }, facts: { customerId, stored } }) {
    cardIn(stored, paymentMethodId)
    if (!stored.isMain) throw new Problem('card_cannot_be_default')
    if (stored.defaultId === paymentMethodId) return { is: 'nothing_to_do' }
    return { is: 'new', subject: paymentMethodId, input: { customerId, paymentMethodId, isOnlyFirst: false } }
  },
  async call(deps, { input }) {
    const isMeant = (stored: StoredCards) => mayReplaceDefault(stored, input, deps.clock())
    await (input.isOnlyFirst ? replaceDefault(deps, input, isMeant) : deps.cards.setDefaultCard(input))
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

/** Longer than a call of the provider takes. */
const longestCallMs = 15_000

/** @param isMeant whether the card is still to be the default, by the provider's current list */
async function replaceDefault({ cards, wallClock }: Deps, card: OnCard, isMeant: (stored: StoredCards) => boolean) {
  const begunAt = wallClock()
  if (!isMeant(await cards.cards(card.customerId))) return
  // A process that stood still in between must not override what the customer has chosen since.
  if (wallClock().getTime() - begunAt.getTime() > longestCallMs) {
    throw new ProviderFailure('unknown', new Error('the process stood still'))
  }
  await cards.setDefaultCard(card)
}

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
  const isRenewing = paid.some(({ isEnding }) => !isEnding)
  return { ids: paid.map(({ id }) => id), products: [...products], isRenewing }
}

/**
 * Removes a card. Without a successor not the default, which needs one (000 §4); nor one that subscriptions are paid with, unless the
 * default is to pay for them. It is detached last: while it is on file, not all may have been taken over.
 */
export const removeCard = operation({
  kind: 'card.remove',
  provider: 'card',
  input: OnCard.extend({
    replacedIn: z.array(z.string()).default([]),
    /** Empty: the default pays for them. */
    successorId: z.string().default(''),
    wasDefault: z.boolean().default(false),
  }),
  codes,
  excludes: changesOfCards,
  async read(deps, member, { paymentMethodId }: Removal) {
    const { customerId, ...found } = await readCards(deps, member, paymentMethodId)
    return { customerId, ...found, paid: await paidSubscriptions(deps, { customerId, paymentMethodId }) }
  },
  async decide(_tx, { asked, facts: { customerId, stored, customers, paid }, now }) {
    const { paymentMethodId, successorId = '' } = asked
    expectRemovable({ stored, all: cardsOfAll(customers), paid }, asked, now)
    const wasDefault = stored.defaultId === paymentMethodId
    // Whatever was entered there by others pays for nothing in its place.
    const replacedIn = successorId === '' && stored.defaultId === '' ? [] : paid.ids
    const input = { customerId, paymentMethodId, replacedIn, successorId, wasDefault }
    return { is: 'new', subject: paymentMethodId, input }
  },
  async call(deps, { input: { customerId, paymentMethodId, replacedIn, successorId, wasDefault } }) {
    const successor = { customerId, paymentMethodId: successorId }
    if (wasDefault) await replaceDefault(deps, successor, ({ defaultId }) => defaultId === paymentMethodId)
    for (const subscription of replacedIn) await deps.cards.payBy(subscription, successorId)
    await deps.cards.removeCard(paymentMethodId)
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
    const { paymentMethodId, successorId, wasDefault } = removed.input
    if (wasDefault) await recordDone(tx, removed, { action: 'card.default_set', target: successorId, now })
    await recordDone(tx, removed, { action: 'card.removed', target: paymentMethodId, now })
    return { status: 'succeeded' }
  },
  refuse: refuseGone,
})
