import type { CardList } from '@atrium/contract/cards.ts'
import type { DeclineReason } from '@atrium/contract/declines.ts'
import { z } from 'zod'
import { isCardExpired } from '../../db/calendar.rules.ts'
import type { StoredCards } from '../../outside/card-provider/cards.ts'
import type { Decline } from '../../outside/provider-failure.ts'
import { declined, declineReason } from '../payments/declines.rules.ts'
import type { OperationRow } from '../payments/operations/operations.tables.ts'

/** Why a card that is not on file yet was declined: what only its bank knows would help card testing. */
export function newCardReason(declineCode: string | null): DeclineReason {
  const reason = declineReason(declineCode)
  return reason === 'insufficient_funds' || reason === 'bank_declined' ? 'unknown' : reason
}

/** The outcome for a card that is not on file yet. */
export function declinedNewCard({ sentence, declineCode }: Decline) {
  return declined({ sentence: newCardReason(declineCode) === 'unknown' ? '' : sentence, declineCode })
}

interface Try {
  /** An addition that never reached the provider tried no card. */
  isTried: boolean
  createdAt: Date
  declinedAt: Date | null
  /** How many cards were declined in it. */
  declines: number
}

/** The part of an addition's result that counts declined cards. */
export const Declines = z.object({ declines: z.int().default(0), declinedAt: z.coerce.date().nullable().default(null) })

/** What counts against the limits. */
export function triesOf(
  additions: readonly Pick<OperationRow, 'status' | 'problem' | 'result' | 'createdAt'>[],
): Try[] {
  return additions.map(({ status, problem, result, createdAt }) => ({
    isTried: status !== 'failed' || problem === 'card_refused',
    createdAt,
    ...Declines.parse(result),
  }))
}

interface Limits {
  /** Cards that may be tried per hour. */
  attempts: number
  /** Declined cards per hour after which none may be tried for a day. */
  declines: number
}

const hour = 3_600_000
const day = 24 * hour

/** An addition costs calls even if it tries no card, so those are limited too, at this multiple of the hourly limit. */
const idleTries = 6

/**
 * Against card testing: when a member may try another card.
 * @param tries of at least the last 25 hours
 * @returns undefined if now
 */
export function nextTryAt(tries: readonly Try[], now: Date, limits: Limits): Date | undefined {
  const pauseEnd = endOfPause(tries, limits.declines)
  if (pauseEnd > now.getTime()) return new Date(pauseEnd)

  const tried = tries.filter(({ isTried }) => isTried)
  return freeAt(tried, now, limits.attempts) ?? freeAt(tries, now, limits.attempts * idleTries)
}

/** When fewer than `most` of the tries are in the last hour. */
function freeAt(tries: readonly Try[], now: Date, most: number): Date | undefined {
  const times = tries
    .map(({ createdAt }) => createdAt.getTime())
    .filter((time) => time > now.getTime() - hour)
    .sort((a, b) => b - a)
  const earliest = times[most - 1]
  return earliest === undefined ? undefined : new Date(earliest + hour)
}

/** In milliseconds; 0 if there was none. */
function endOfPause(tries: readonly Try[], most: number): number {
  const declined = tries
    .flatMap(({ declinedAt, declines }) => (declinedAt ? Array(Math.max(1, declines)).fill(declinedAt.getTime()) : []))
    .sort((a, b) => b - a)
  const last = declined.find((time, place) => time - (declined[place + most - 1] ?? Number.NEGATIVE_INFINITY) <= hour)
  return last === undefined ? 0 : last + day
}

/** Whether nothing is charged by default, or a card that has expired; a default that is not a card is left to the provider. */
export function lacksPayingDefault({ cards, defaultId }: StoredCards, now: Date): boolean {
  if (defaultId === '') return true
  return cards.some((card) => card.id === defaultId && isCardExpired(card, now))
}

/**
 * In wire form: the default first, then in the provider's order.
 * @param stored `besideMain`: those at other customers than the main one
 */
export function cardListFrom(stored: StoredCards & { besideMain?: ReadonlySet<string> }, now: Date): CardList {
  const { cards, defaultId, besideMain } = stored

  const first = cards.filter(({ id }) => id === defaultId)
  const others = cards.filter(({ id }) => id !== defaultId)
  return {
    cardList: [...first, ...others].map((card) => ({
      id: card.id,
      metadata: { firstName: card.firstName, lastName: card.lastName },
      billingDetails: { address: card.address },
      card: { brand: card.brand, last4: card.last4, expMonth: card.expMonth, expYear: card.expYear },
      isExpired: isCardExpired(card, now),
      canBeDefault: !besideMain?.has(card.id),
    })),
    defaultPaymentID: first.length > 0 ? defaultId : '',
    hasOtherDefault: first.length === 0 && defaultId !== '' ? 1 : 0,
  }
}
