import type { Fate, Moving, Staying, Transferable, TransferObstacle } from '@atrium/contract/transfers.ts'
import { daysLater } from '../../db/calendar.rules.ts'
import { isKnownByAddress } from '../subscriptions/known-by-address.rules.ts'
import {
  canGoOn,
  isBound,
  isChargedSoon,
  isPaymentDue,
  itemsToContinue,
  movedEnd,
  type SoldPrice,
} from '../subscriptions/moving/moving.rules.ts'
import { plannedChangeOf } from '../subscriptions/planned-change.rules.ts'
import { hasEnded, isPrepaid } from '../subscriptions/subscription-flags.rules.ts'
import type { OwnSubscription } from './transfers.queries.ts'
import type { Offer, OfferedSubscription } from './transfers.tables.ts'

/** Days between two transfers from or to an account. */
const daysBetween = 30

/** The moment after which a transfer counts. */
export function countedSince(now: Date): Date {
  return daysLater(now, -daysBetween)
}

/** One that does not move. */
export interface StayingSubscription extends OwnSubscription {
  reason: Staying['reason']
}

interface Situation {
  moving: readonly OwnSubscription[]
  staying: readonly StayingSubscription[]
  /** Whether there was a transfer in the days that count. */
  hasTransferred: boolean
  /** Whether a change is not resolved yet. */
  isChanging: boolean
  now: Date
}

/** Why nothing can be transferred now; undefined: it can. */
export function obstacleTo(situation: Situation): TransferObstacle | undefined {
  const { moving, staying, hasTransferred, isChanging, now } = situation
  if (!moving.some(({ row }) => row.origin === 'online')) {
    return staying.some(({ reason }) => reason === 'known_by_address') ? 'known_by_address' : 'nothing_to_transfer'
  }
  const unpaid = moving.filter(isUnpaid)
  if (unpaid.some(isDue)) return 'payment_due'
  if (unpaid.length > 0) return 'period_unpaid'
  if (isChanging || moving.some(({ row }) => row.pendingPlanId !== null)) return 'change_pending'
  if (moving.some(({ currentStatus }) => currentStatus === 'pending')) return 'pending'
  if (moving.some(({ row }) => isChargedSoon(row, now))) return 'renewal_near'
  return hasTransferred ? 'transferred_recently' : undefined
}

/** Its period has begun, and is not paid, as far as it is listed: also if that was not tried yet, or the vendor asks for it no more. */
function isUnpaid(own: OwnSubscription): boolean {
  const { row, currentStatus, dueOrders, hasUnpaidOrder } = own
  return dueOrders !== null || (currentStatus !== 'pending' && (isDue(own) || row.isRenewing || hasUnpaidOrder))
}

/** Whether the customer has something to pay. */
function isDue({ row, dueOrders }: OwnSubscription): boolean {
  return dueOrders !== null || isPaymentDue(row)
}

/**
 * What moves: online and given ones that have not ended. Offline ones are contracts, and stay. So does, with its add-ons, what only a typed
 * address made the member's: with the recipient it would look proven, and could not be given to whose it is.
 */
export function sorted(own: readonly OwnSubscription[]): Pick<Situation, 'moving' | 'staying'> {
  const running = own.filter(({ currentStatus }) => !hasEnded(currentStatus))
  const unproven = new Set(running.filter(isUnproven).map(({ row }) => row.id))
  const moving: OwnSubscription[] = []
  const staying: StayingSubscription[] = []
  for (const one of running) {
    const { id, origin, parentId } = one.row
    if (origin === 'offline') staying.push({ ...one, reason: 'offline' })
    else if (unproven.has(id) || (parentId !== null && unproven.has(parentId)))
      staying.push({ ...one, reason: 'known_by_address' })
    else moving.push(one)
  }
  return { moving, staying }
}

function isUnproven({ row: { channel, proof }, isTyped }: OwnSubscription): boolean {
  return isKnownByAddress({ channel, proof, isTyped })
}

/** Who would pay: the recipient, at the card provider. */
export interface Payer {
  /** Their default card; undefined: there is none. */
  card?: Offer['card'] | undefined
  /** The only currency in which they can be billed; undefined: none yet. */
  currency?: Offer['currency'] | undefined
}

interface Paying extends Payer {
  /** The card provider's. */
  prices: readonly SoldPrice[]
}

/** What the recipient gets, and is charged, with this card. */
export function offerOf(moving: readonly OwnSubscription[], { card, currency, prices }: Paying): Offer {
  const billedIn = currency ?? commonCurrency(moving, prices)
  return {
    subscriptions: moving.map((own) => ({ ...offered(own), ...chargeOf(own, { card, currency: billedIn, prices }) })),
    ...(card && { card }),
    ...(currency !== undefined && { currency }),
  }
}

/**
 * Whom the card provider has not billed yet can be billed in one currency only from then on: that of most of what can go on, or of
 * the first of it.
 */
function commonCurrency(moving: readonly OwnSubscription[], prices: readonly SoldPrice[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { row } of moving) {
    const { currency } = row
    if (currency === null || itemsToContinue(row, prices).length === 0) continue
    counts.set(currency, (counts.get(currency) ?? 0) + 1)
  }
  const most = Math.max(...counts.values())
  return [...counts].find(([, count]) => count === most)?.[0]
}

function offered({ row, productName, parentName, nextProducts }: OwnSubscription): OfferedSubscription {
  const { id: subscriptionId, userCount, storageCapacity, connectors, term } = row
  const size = { userCount, storageCapacity, connectors, term }
  const until = movedEnd(row)?.toISOString() ?? ''
  const trial = row.status === 'trialing' ? { isTrial: true as const } : {}
  const planned = plannedChangeOf(row, nextProducts)
  return {
    subscriptionId,
    productName,
    parentName: parentName ?? '',
    ...size,
    until,
    ...trial,
    ...(planned && { planned }),
  }
}

function chargeOf(
  { row }: OwnSubscription,
  { card, currency: billedIn, prices }: Paying,
): Pick<OfferedSubscription, 'charge' | 'renewal' | 'commitment' | 'otherCurrency'> {
  const { price: amount, currency } = row
  if (amount === null || currency === null) return {}
  if (itemsToContinue(row, prices).length === 0) {
    const isOther = isRenewedByCard(row) && billedIn !== undefined && currency !== billedIn
    return isOther ? { otherCurrency: { amount, currency, needsOnlyCard: false } } : {}
  }
  const needsOnlyCard = canGoOn(row)
  if (currency !== billedIn) return { otherCurrency: { amount, currency, needsOnlyCard } }
  const commitment = isBound(row) && commitmentOf(row)
  const billed =
    needsOnlyCard && card ? { charge: { amount, currency } } : { renewal: { amount, currency, needsOnlyCard } }
  return { ...billed, ...(commitment && { commitment }) }
}

function commitmentOf({ cancelAt, commitmentEnd }: OwnSubscription['row']): OfferedSubscription['commitment'] {
  const until = cancelAt ?? commitmentEnd
  return until ? { until: until.toISOString(), ends: cancelAt !== null } : undefined
}

/** A prepaid term ends in any case, and its Owner can then renew it by card. */
function isRenewedByCard(row: OwnSubscription['row']): boolean {
  return row.origin === 'online' && row.channel === 'card' && isPrepaid(row) && !row.isPriceHidden
}

/** Whether a card that the recipient adds before the codes are used is charged. */
export function awaitsCard({ subscriptions }: Offer): boolean {
  return subscriptions.some(({ renewal }) => renewal?.needsOnlyCard === true)
}

/** What becomes of a subscription, as both are told. */
export function fateOf({ until, charge, renewal, commitment, otherCurrency }: OfferedSubscription): Fate {
  if (until === '') return 'endless'
  if (charge) return 'goes_on'
  if (otherCurrency) return 'other_currency'
  return renewal && !commitment ? 'ends_unless_resumed' : 'ends'
}

/** The same before the codes are used, for the sender: what card the recipient has, and in what currency they pay, is not theirs to know. */
export function expectedFate(offered: OfferedSubscription): Moving['fate'] {
  const fate = fateOf(offered)
  const renewal = offered.renewal ?? offered.otherCurrency
  if (fate === 'goes_on' || renewal?.needsOnlyCard) return 'needs_card'
  if (fate !== 'other_currency') return fate
  return isPrepaid(offered) ? 'ends' : 'ends_unless_resumed'
}

/** What moves, and what becomes of it as far as the sender may know. @param prices the card provider's */
export function movingOf(moving: readonly OwnSubscription[], prices: readonly SoldPrice[]): Moving[] {
  const { subscriptions } = offerOf(moving, { prices })
  return moving.flatMap((own, place) => {
    const offered = subscriptions[place]
    if (!offered) return []
    const { until, planned } = offered
    return { ...transferable(own), fate: expectedFate(offered), until, ...(planned && { plannedChange: planned }) }
  })
}

export function stayingOf({ reason, ...own }: StayingSubscription): Staying {
  return { ...transferable(own), reason }
}

function transferable({ row, productName, parentName }: OwnSubscription): Transferable {
  const { id: stripeSubscriptionId, userCount, storageCapacity, connectors: esignConnectors } = row
  const size = { userCount, storageCapacity, esignConnectors }
  const isTrial = row.status === 'trialing' ? 1 : 0
  return { stripeSubscriptionId, appName: productName, ...size, parentName: parentName ?? '', isTrial }
}
