import { and, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import type { MovedSubscription } from '../../../outside/card-provider/moved-subscriptions.ts'
import { ifKnown, ProviderFailure } from '../../../outside/provider-failure.ts'
import { type Operation, operation } from '../../payments/operations/definition.ts'
import { codes } from '../change-outcome.ts'
import { dropPlanned } from '../drop-planned.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { continuation } from './continue-moved.operations.ts'
import { Continuing } from './continuing.input.ts'
import { lastPaidTime } from './kept-time.rules.ts'
import { isRefusal } from './moving.rules.ts'

const Ending = z.object({
  /** The old Owner's, at the provider. */
  providerId: z.string(),
  /** ISO 8601: the end of what was paid when it moved; left out: it has none. */
  until: z.iso.datetime().optional(),
  /** Left out: it does not go on. */
  goesOn: Continuing.optional(),
})
export type Ending = z.infer<typeof Ending>

/** The old one as it ends at the card provider; undefined: it is gone there, or is PayPal's. */
interface Ended {
  moved: MovedSubscription | undefined
  /** The end of what was paid since it moved; left out: nothing was. */
  laterEnd?: Date | undefined
  /** Whether it has been renewed since, and goes on unpaid. */
  isUnpaid?: boolean
}

/**
 * Ends what the old Owner pays for with the period that is paid. PayPal's is suspended, since its
 * cancellation would be at once.
 */
export const endMoved = operation({
  kind: 'subscription.end_moved',
  provider: 'card',
  input: Ending,
  codes,
  read: async () => undefined,
  decide: async (_tx, { asked }: { asked: Ending }) => ({ is: 'new', subject: asked.providerId, input: asked }),
  call: (deps, ending): Promise<Ended> =>
    ending.provider === 'paypal' ? suspendMoved(deps, ending.input.providerId) : endAtCard(deps, ending),
  async find(deps, { provider, input }): Promise<Ended | undefined> {
    const { providerId } = input
    if (provider === 'paypal') return (await isStillActive(deps, providerId)) ? undefined : { moved: undefined }
    const ended = await endedAs(deps, input, await ifKnown(deps.cards.readMoved(providerId)))
    return ended.moved?.isEnding === false || ended.isUnpaid ? undefined : ended
  },
  async apply(tx, { subject, input: { goesOn } }, { found: { moved, laterEnd: end } }) {
    // The old Owner has paid once more meanwhile: that time is the new one's.
    if (end) {
      const { endedAt } = subscriptions
      // What ends for good has its end there.
      const off = {
        cancelAt: end,
        endedAt: sql`case when ${endedAt} is not null then ${end.toISOString()}::timestamptz end`,
      }
      const ends = { periodEnd: end, ...(!goesOn && off) }
      await tx.update(subscriptions).set(ends).where(isWaiting(subject))
    }
    if (!goesOn) return { status: 'succeeded' }
    const from = end?.toISOString() ?? goesOn.from
    const input = { ...goesOn, from, isTaxed: moved?.isTaxed === true, addOns: [] }
    return { status: 'succeeded', next: [continuation(input)] }
  },
  refuse: () => ({ status: 'failed', problem: codes.unavailable }),
})

/** Whatever is planned for it is dropped first. A refusal is never read as its end: nothing begins before that is seen. */
async function endAtCard(deps: Deps, ending: Operation<Ending>): Promise<Ended> {
  const { cards } = deps
  const { providerId } = ending.input
  let moved = await ifKnown(cards.readMoved(providerId))
  if (moved?.isEnding === false) {
    await dropPlanned(deps, ending, { scheduleId: moved.scheduleId, late: 'unavailable' })
    moved = await cards.endMoved(providerId)
    if (!moved.isEnding) throw stillRuns()
  }
  const ended = await endedAs(deps, ending.input, moved)
  // Nobody has the period that the provider would go on to collect.
  if (ended.isUnpaid) await cards.endUnpaid(providerId)
  return ended
}

/** A renewal before the provider heard of the end counts once it is paid. */
async function endedAs({ cards }: Deps, { providerId, until }: Ending, moved: Ended['moved']): Promise<Ended> {
  const paidEnd = until === undefined ? undefined : new Date(Date.parse(until) + hourMs)
  if (!moved || !paidEnd || moved.periodEnd <= paidEnd) return { moved }
  const paid = lastPaidTime(await cards.paymentsAfter(providerId, paidEnd))
  return { moved, laterEnd: paid?.until, isUnpaid: !paid && !moved.hasEnded }
}

async function suspendMoved(deps: Deps, providerId: string): Promise<Ended> {
  let refused: unknown
  try {
    await deps.paypal.suspendSubscription({ id: providerId, reason: 'The subscription was transferred' })
  } catch (error) {
    // PayPal refuses what is suspended or canceled already.
    if (!isRefusal(error)) throw error
    refused = error
  }
  if (await isStillActive(deps, providerId)) throw refused ?? stillRuns()
  return { moved: undefined }
}

function stillRuns(): ProviderFailure {
  return new ProviderFailure('unknown', new Error('the provider has not ended it'))
}

async function isStillActive(deps: Deps, providerId: string): Promise<boolean> {
  return (await ifKnown(deps.paypal.readSubscription(providerId)))?.status === 'ACTIVE'
}

const hourMs = 3_600_000

/** As long as nothing at a provider stands for it. */
function isWaiting(subscriptionId: string) {
  return and(eq(subscriptions.id, subscriptionId), isNull(subscriptions.providerId))
}
