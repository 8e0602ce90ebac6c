import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { monthsLater } from '../../../db/calendar.rules.ts'
import { nextSyncNumber } from '../../../db/sync-numbers.queries.ts'
import type { Deps } from '../../../deps.ts'
import { continues, type MovedSubscription } from '../../../outside/card-provider/moved-subscriptions.ts'
import { ifKnown, ProviderFailure } from '../../../outside/provider-failure.ts'
import { customerIdOf } from '../../payments/customers/customers.queries.ts'
import { type NextOperation, type Operation, operation } from '../../payments/operations/definition.ts'
import { codes } from '../change-outcome.ts'
import { applyReadingIn, type Reading } from '../projection.writes.ts'
import { liveProjection } from '../projection-deps.ts'
import { readingOfCard } from '../provider-readings.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { endWithPeriod } from './moving.writes.ts'

/** How a subscription goes on for its new Owner. */
const Continuing = z.object({
  /** Ours. */
  subscriptionId: z.string(),
  items: z.array(z.object({ priceId: z.string(), quantity: z.int() })),
  /** ISO 8601: the end of what is paid, when the new Owner is charged for the first time. */
  from: z.iso.datetime(),
  /** How often it is charged. */
  every: z.enum(['month', 'year']),
  metadata: z.record(z.string(), z.string()),
})

const Ending = z.object({
  /** The old Owner's, at the provider. */
  providerId: z.string(),
  /** ISO 8601: the end of what was paid when it moved; left out: it has none. */
  until: z.iso.datetime().optional(),
  /** Left out: it does not go on. */
  goesOn: Continuing.optional(),
})
export type Ending = z.infer<typeof Ending>

/** The old one as it is at the card provider; undefined: it is gone there, or is PayPal's. */
interface Ended {
  moved: MovedSubscription | undefined
}

/**
 * Ends what the old Owner pays for with the period that is paid (behaviour.md, "Transfer"). PayPal's is suspended, since its
 * cancellation would be at once.
 */
export const endMoved = operation({
  kind: 'subscription.end_moved',
  provider: 'card',
  input: Ending,
  codes,
  read: async () => undefined,
  decide: async (_tx, { asked }: { asked: Ending }) => ({ is: 'new', subject: asked.providerId, input: asked }),
  async call(deps, { provider, input: { providerId } }): Promise<Ended> {
    if (provider === 'paypal') return suspendMoved(deps, providerId)
    try {
      return { moved: await deps.cards.endMoved(providerId) }
    } catch (error) {
      // It has ended there already.
      if (isRefusal(error)) return { moved: await ifKnown(deps.cards.readMoved(providerId)) }
      throw error
    }
  },
  async find(deps, { provider, input: { providerId } }): Promise<Ended | undefined> {
    if (provider === 'paypal') return (await isStillActive(deps, providerId)) ? undefined : { moved: undefined }
    const moved = await ifKnown(deps.cards.readMoved(providerId))
    return moved === undefined || moved.isEnding ? { moved } : undefined
  },
  async apply(tx, { subject, input: { until, goesOn } }, { found: { moved } }) {
    const end = laterEnd(until, moved)
    // The old Owner has paid once more meanwhile: that time is the new one's.
    if (end) {
      const ends = { periodEnd: end, ...(!goesOn && { cancelAt: end, endedAt: end }) }
      await tx.update(subscriptions).set(ends).where(isWaiting(subject))
    }
    if (!goesOn) return { status: 'succeeded' }
    const input = { ...goesOn, from: end?.toISOString() ?? goesOn.from, isTaxed: moved?.isTaxed === true }
    return { status: 'succeeded', next: [continuation(input)] }
  },
  refuse: () => ({ status: 'failed', problem: codes.unavailable }),
})

async function suspendMoved(deps: Deps, providerId: string): Promise<Ended> {
  try {
    await deps.paypal.suspendSubscription({ id: providerId, reason: 'The subscription was transferred' })
  } catch (error) {
    // PayPal refuses what is suspended or canceled already.
    if (!isRefusal(error) || (await isStillActive(deps, providerId))) throw error
  }
  return { moved: undefined }
}

async function isStillActive(deps: Deps, providerId: string): Promise<boolean> {
  return (await ifKnown(deps.paypal.readSubscription(providerId)))?.status === 'ACTIVE'
}

const hourMs = 3_600_000

function laterEnd(until: string | undefined, moved: MovedSubscription | undefined): Date | undefined {
  if (until === undefined || !moved) return undefined
  return moved.periodEnd.getTime() > new Date(until).getTime() + hourMs ? moved.periodEnd : undefined
}

const Beginning = Continuing.extend({ isTaxed: z.boolean() })
type Beginning = z.infer<typeof Beginning>

/** What the provider has begun; undefined: it cannot go on, without a card, or since the provider refuses it. */
interface Begun {
  reading: Reading | undefined
}

/** Begins it for the new Owner where the paid time ends, if they still have a card. Nothing is charged until then. */
export const continueMoved = operation({
  kind: 'subscription.continue_moved',
  provider: 'card',
  input: Beginning,
  codes,
  read: async () => undefined,
  decide: async (_tx, { asked }: { asked: Beginning }) => ({
    ...{ is: 'new', subject: asked.subscriptionId, input: asked },
  }),
  async call(deps, { id, memberId, calledAt, input }): Promise<Begun> {
    const customerId = await payingCustomer(deps, memberId)
    if (customerId === undefined) return { reading: undefined }
    const { items, isTaxed, metadata, subscriptionId } = input
    const now = deps.clock()
    const from = firstCharge(new Date(input.from), now)
    const asked = {
      ...{ customerId, items, isTaxed, operationId: id },
      metadata: { ...metadata, [continues]: subscriptionId },
      ...{ from, isBeyondPeriod: from > monthsLater(now, monthsOf[input.every]) },
      // The provider repeats an error for the same key. Before another call, `find` has shown that nothing was begun.
      idempotencyKey: `${id}-${calledAt?.getTime() ?? 0}`,
    }
    const syncNumber = await nextSyncNumber(deps.db)
    try {
      return { reading: await readingOfCard(deps, await deps.cards.continueSubscription(asked), syncNumber) }
    } catch (error) {
      if (!isRefusal(error)) throw error
      deps.logger.error({ err: error, operationId: id, subscriptionId }, 'a transferred subscription cannot go on')
      return { reading: undefined }
    }
  },
  async find(deps, { id, memberId }): Promise<Begun | undefined> {
    const customerId = await customerIdOf(deps.db, { id: memberId })
    if (customerId === undefined) return undefined
    const syncNumber = await nextSyncNumber(deps.db)
    const billed = await ifKnown(deps.cards.findContinued(customerId, id))
    return billed && { reading: await readingOfCard(deps, billed, syncNumber) }
  },
  async apply(tx, { input: { subscriptionId } }, { deps, found: { reading } }) {
    if (!reading) {
      await endWithPeriod(deps, tx, subscriptionId)
      return { status: 'canceled', problem: 'card_required' }
    }
    await applyReadingIn(tx, liveProjection(deps), reading)
    return { status: 'succeeded', objectId: reading.providerId }
  },
  refuse: () => ({ status: 'failed', problem: codes.unavailable }),
})

const monthsOf = { month: 1, year: 12 }

/**
 * After days without the provider, what was to begin then begins within the hour: never at once, since a first payment that is declined
 * would void the subscription, and a renewal is only past due.
 */
function firstCharge(from: Date, now: Date): Date {
  const soon = new Date(now.getTime() + hourMs)
  soon.setUTCMilliseconds(0)
  return from > soon ? from : soon
}

/** The provider's customer of a member, if their default card would be charged. */
async function payingCustomer(deps: Deps, memberId: string): Promise<string | undefined> {
  const customerId = await customerIdOf(deps.db, { id: memberId })
  const stored = customerId && (await ifKnown(deps.cards.cards(customerId)))
  return stored && stored.defaultId !== '' ? customerId : undefined
}

function isRefusal(error: unknown): boolean {
  return error instanceof ProviderFailure && ['refused', 'action_required', 'invalid', 'missing'].includes(error.kind)
}

function continuation(input: Operation<Beginning>['input']): NextOperation {
  return { definition: continueMoved, plan: { subject: input.subscriptionId, input } }
}

/** As long as nothing at a provider stands for it. */
function isWaiting(subscriptionId: string) {
  return and(eq(subscriptions.id, subscriptionId), isNull(subscriptions.providerId))
}
