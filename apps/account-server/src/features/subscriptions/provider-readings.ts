import { nextSyncNumber } from '../../db/sync-numbers.queries.ts'
import type { Deps } from '../../deps.ts'
import type { BilledSubscription } from '../../outside/card-provider/subscriptions.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { ifKnown, ProviderFailure } from '../../outside/provider-failure.ts'
import { paypalReading } from './paypal-readings.ts'
import { liveProjection } from './projection-deps.ts'
import type { Reading } from './reading.ts'
import { cardReading, liveCards } from './subscriptions.sync.ts'

/** What the card provider has, if it is as it was asked for. */
export async function readCard(
  deps: Deps,
  id: string,
  isDone: (billed: BilledSubscription) => boolean,
): Promise<Reading | undefined> {
  const syncNumber = await nextSyncNumber(deps.db)
  const billed = await ifKnown(deps.cards.readSubscription(id))
  return billed && isDone(billed) ? readingOfCard(deps, billed, syncNumber) : undefined
}

/** What PayPal has, if it is as it was asked for. */
export async function readPaypal(
  deps: Deps,
  id: string,
  isDone: (given: PaypalSubscription) => boolean,
): Promise<Reading | undefined> {
  const syncNumber = await nextSyncNumber(deps.db)
  const given = await ifKnown(deps.paypal.readSubscription(id))
  if (!given || !isDone(given)) return undefined
  return paypalReading({ ...deps, ...liveProjection(deps) }, given, syncNumber)
}

/**
 * What is looked up after a lost answer, and is done, is read once more: the first number may have been drawn before it was done, so that
 * somebody's reading of before counts as newer.
 */
export async function readAgainIfDone(read: () => Promise<Reading | undefined>): Promise<Reading | undefined> {
  return (await read()) && read()
}

/** What the card provider answered to a change. */
export function readingOfCard(deps: Deps, billed: BilledSubscription, syncNumber: number): Promise<Reading> {
  return afterChange(cardReading(liveCards(deps), billed, syncNumber))
}

/**
 * The provider has changed it: what fails now does not mean that nothing was done. It is to be read under a number that is drawn after
 * the change, so that nothing read before can be taken for newer.
 */
export async function afterChange(reading: Promise<Reading | undefined>): Promise<Reading> {
  const read = await reading.catch((error: unknown) => {
    throw error instanceof ProviderFailure ? new ProviderFailure('unknown', error) : error
  })
  if (!read) throw new ProviderFailure('unknown', new Error('the subscription is gone'))
  return read
}
