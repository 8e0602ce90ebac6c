import { maxCards } from '@atrium/contract/cards.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import type { Setup } from '../../outside/card-provider/setups.ts'
import { ifKnown, ProviderFailure } from '../../outside/provider-failure.ts'
import { forgetDeletedCustomer } from '../payments/customers/create-customer.ts'
import { type NextOperation, type Operation, operation } from '../payments/operations/definition.ts'
import {
  operationById,
  operationOfObject,
  operationsSince,
  unresolvedOf,
} from '../payments/operations/operations.queries.ts'
import { resolveOperation } from '../payments/operations/perform-operation.ts'
import { codes, OnCard, recordDone, refuse, removeCard, setDefaultCard } from './card-changes.operations.ts'
import { type Addition, cardsBeside, compareCards, customerOfNewCard, expectPlace } from './card-place.ts'
import { Declines, declinedNewCard, nextTryAt, triesOf } from './cards.rules.ts'

/** A setup, and how many cards were declined in it: with its secret a browser can try several. */
interface AddedSetup extends Setup {
  declines: number
}

/** Milliseconds that the customer has for the bank's authentication. */
const authenticationMs = 30 * 60_000

/** Additions of the last hour count, and a pause lasts a day after the last decline. */
const rememberedMs = 26 * 3_600_000

/** Milliseconds by which the clocks of two servers may differ. */
const clockSkewMs = 2000

const Input = OnCard.extend({
  /** Payment methods that were on file before. */
  onFile: z.array(z.string()).default([]),
  /** False where others may have entered cards: what is charged there by default stays. */
  mayBeDefault: z.boolean().default(true),
})

/** Puts a payment method on file (000 §4). */
export const addCard = operation({
  kind: 'card.add',
  provider: 'card',
  input: Input,
  codes,

  async read(deps, member, asked: Addition) {
    const customerId = await customerOfNewCard(deps, member, asked)
    const readAt = deps.wallClock().getTime() - clockSkewMs
    try {
      const { cards } = await deps.cards.cards(customerId)
      const { isOurs, beside } = await cardsBeside(deps, member, customerId)
      return { customerId, isOurs, onFile: cards.map(({ id }) => id), beside, readAt }
    } catch (error) {
      if (error instanceof ProviderFailure && error.kind === 'missing') await forgetDeletedCustomer(deps, customerId)
      throw error
    }
  },

  async decide(tx, { deps: { config }, member, asked: { paymentMethodId }, facts, now }) {
    await expectPlace(tx, member, { ...facts, paymentMethodId })
    const recent = await operationsSince(tx, member, 'card.add', new Date(now.getTime() - rememberedMs))
    // It would be detached after it was added.
    const removals = await unresolvedOf(tx, member, { kinds: ['card.remove'] })
    if (removals.some(({ subject }) => subject === paymentMethodId)) throw new Problem('card_change_pending')

    // A refused addition may be repeated.
    const same = recent.find((one) => one.subject === paymentMethodId && isUnderWayOrDone(one))
    if (same) return { is: 'same', operationId: same.id }

    const limits = { attempts: config.CARD_ATTEMPTS_PER_HOUR, declines: config.CARD_DECLINES_PER_HOUR }
    const waitUntil = nextTryAt(triesOf(recent), now, limits)
    if (waitUntil) {
      throw new Problem('too_often', { retryAfter: Math.ceil((waitUntil.getTime() - now.getTime()) / 1000) })
    }
    // At the provider, in progress, or put on file since the provider was read; each card counted once.
    const beside = recent.filter(
      (one) => isUnderWayOrDone(one) && (one.resolvedAt?.getTime() ?? facts.readAt) >= facts.readAt,
    )
    const taken = new Set([...facts.onFile, ...facts.beside, ...beside.map(({ subject }) => subject), paymentMethodId])
    if (taken.size > maxCards) throw new Problem('card_limit')
    const { customerId, isOurs: mayBeDefault, onFile } = facts
    return { is: 'new', subject: paymentMethodId, input: { customerId, paymentMethodId, mayBeDefault, onFile } }
  },

  async call({ cards }, added) {
    const setup = await cards.createSetup({ ...added.input, operationId: added.id })
    return withDeclines(cards, added, setup).catch(unknownOutcome)
  },

  async find({ cards }, added) {
    const { id, objectId, input } = added
    const setup = await (objectId ? cards.readSetup(objectId) : cards.findSetup(input.customerId, id))
    return setup && withDeclines(cards, added, setup)
  },

  async apply(tx, added, { deps, found: setup, now }) {
    const { paymentMethodId } = added.input
    const objectId = setup.id
    const result = declinesIn(added.result, setup, now)
    const isOpen = setup.status === 'requires_action' || setup.status === 'processing'
    // Another card was tried with its secret and declined: end it, so that no further card can be tried.
    if (isOpen && setup.declines > 0) return { ...refusedSetup, objectId, result, next: [cancellation(setup)] }
    switch (setup.status) {
      case 'requires_action':
        return {
          status: 'requires_action',
          objectId,
          givesUpAt: new Date(added.createdAt.getTime() + authenticationMs),
        }
      case 'processing':
        return { status: 'pending', objectId }
      case 'canceled':
        return { status: 'canceled', problem: 'card_not_confirmed', objectId, result }
      case 'succeeded': {
        if (setup.paymentMethodId !== paymentMethodId)
          return { ...refusedSetup, objectId, result, next: await removal(tx, added, setup) }
        await recordDone(tx, added, { action: 'card.added', target: paymentMethodId, now })
        await compareCards(deps, tx, added.memberId)
        const next = added.input.mayBeDefault ? [defaultWhereLacking(added.input)] : []
        return { status: 'succeeded', objectId, result, next }
      }
      default:
        // A refused addition leaves no intent with which another card could be tried.
        return { ...declinedNewCard(setup.decline), objectId, result, next: [cancellation(setup)] }
    }
  },

  /** Another customer's payment method looks like none. A refusal before there was an intent counts as a decline too. */
  refuse(failure, _added, now) {
    if (failure.kind === 'invalid') return { status: 'failed', problem: 'not_found' }
    const tried = { result: { declines: 1, declinedAt: now } }
    return { ...refuse(failure), ...(failure.kind === 'refused' && tried) }
  },

  async giveUp({ cards }, added) {
    return withDeclines(cards, added, await cards.cancelSetup(added.objectId ?? ''))
  },
})

const refusedSetup = { status: 'failed', problem: 'card_refused' } as const

function isUnderWayOrDone({ status, resolvedAt }: Pick<Operation<unknown>, 'status' | 'resolvedAt'>): boolean {
  return resolvedAt === null || status === 'succeeded'
}

/** A browser that has the intent's secret may have tried any card with it, so the declines are counted whatever the outcome. */
async function withDeclines(
  cards: Deps['cards'],
  { objectId }: Pick<Operation<unknown>, 'objectId'>,
  setup: Setup,
): Promise<AddedSetup> {
  const isFirstAnswer = objectId === null && ['succeeded', 'requires_action', 'processing'].includes(setup.status)
  return { ...setup, declines: isFirstAnswer ? 0 : await cards.declinesOf(setup.id) }
}

/** The card was tried, whatever the count of declines fails with: only a lookup finds out the rest. */
function unknownOutcome(error: unknown): never {
  throw error instanceof ProviderFailure ? new ProviderFailure('unknown', error) : error
}

/** A count never falls, since an older answer may be applied last; one that has not grown keeps its time. */
function declinesIn(stored: unknown, { declines }: AddedSetup, now: Date) {
  const counted = Declines.parse(stored)
  if (counted.declines >= declines) return Object(stored)
  return { declines, declinedAt: now }
}

/** The first card becomes the default, and so does one that is added after the default has expired. */
function defaultWhereLacking({ customerId, paymentMethodId }: OnCard): NextOperation {
  return {
    definition: setDefaultCard,
    plan: { subject: paymentMethodId, input: { customerId, paymentMethodId, isOnlyFirst: true } },
  }
}

/** Removes a card that was put on file with the intent's secret in place of the requested one, but none that was added properly. */
async function removal(tx: Tx, added: Operation<z.infer<typeof Input>>, { paymentMethodId }: Setup) {
  const { customerId, onFile } = added.input
  const additions = await operationsSince(tx, { id: added.memberId }, 'card.add', new Date(0))
  const isOwn = additions.some((one) => one.subject === paymentMethodId && isUnderWayOrDone(one))
  if (!paymentMethodId || isOwn || onFile.includes(paymentMethodId)) return []
  return [{ definition: removeCard, plan: { subject: paymentMethodId, input: { customerId, paymentMethodId } } }]
}

function cancellation({ id }: Setup): NextOperation {
  return { definition: cancelSetup, plan: { subject: id, input: { setupId: id }, objectId: id } }
}

/** Cancels the intent of a refused addition. */
export const cancelSetup = operation({
  kind: 'card.cancel_setup',
  provider: 'card',
  input: z.object({ setupId: z.string() }),
  codes,
  read: async () => undefined,
  decide: async (_tx, { asked }: { asked: { setupId: string } }) => ({
    is: 'new',
    subject: asked.setupId,
    input: asked,
  }),
  call: ({ cards }, { input }) => cards.cancelSetup(input.setupId),
  async find({ cards }, { input }) {
    const setup = await ifKnown(cards.readSetup(input.setupId))
    return setup && ['canceled', 'succeeded'].includes(setup.status) ? setup : undefined
  },
  apply: async () => ({ status: 'succeeded' }),
  // It does not exist any more, or has ended already.
  refuse: () => ({ status: 'canceled' }),
})

/** Applies a change of a setup intent at the provider. */
export async function syncSetupIntent(deps: Deps, id: string): Promise<void> {
  const setup = await ifKnown(deps.cards.readSetup(id))
  if (!setup) return
  const known = (await operationOfObject(deps.db, 'card.add', id)) ?? (await operationOfSetup(deps, setup))
  // A failed addition may have succeeded after all.
  if (!known || (known.resolvedAt !== null && known.status !== 'failed')) return
  const found = await withDeclines(deps.cards, known, setup)
  await resolveOperation(deps, addCard, { row: known, found })
}

async function operationOfSetup({ db }: Deps, { operationId }: Setup) {
  const id = z.uuid().safeParse(operationId).data
  const known = id && (await operationById(db, id))
  return known && known.kind === 'card.add' ? known : undefined
}
