import type { Transferable, TransferObstacle } from '@atrium/contract/transfers.ts'
import { daysLater } from '../../db/calendar.rules.ts'
import { canGoOn, isChargedSoon, isPaymentDue, movedEnd } from '../subscriptions/moving/moving.rules.ts'
import { hasEnded } from '../subscriptions/subscription-flags.rules.ts'
import type { OwnSubscription } from './transfers.queries.ts'
import type { Offer, OfferedSubscription } from './transfers.tables.ts'

/** Days between two transfers from or to an account. */
const daysBetween = 30

/** The moment after which a transfer counts. */
export function countedSince(now: Date): Date {
  return daysLater(now, -daysBetween)
}

interface Situation {
  moving: readonly OwnSubscription[]
  /** Whether there was a transfer in the days that count. */
  hasTransferred: boolean
  /** Whether a change is not resolved yet. */
  isChanging: boolean
  now: Date
}

/** Why nothing can be transferred now; undefined: it can (behaviour.md, "Transfer"). */
export function obstacleTo({ moving, hasTransferred, isChanging, now }: Situation): TransferObstacle | undefined {
  if (!moving.some(({ row }) => row.origin === 'online')) return 'nothing_to_transfer'
  if (moving.some(({ row }) => isPaymentDue(row))) return 'payment_due'
  if (isChanging || moving.some(({ row }) => row.pendingPlanId !== null)) return 'change_pending'
  if (moving.some(({ row }) => isChargedSoon(row, now))) return 'renewal_near'
  return hasTransferred ? 'transferred_recently' : undefined
}

/** What moves: online and given ones that have not ended. Offline ones are contracts, and stay. */
export function sorted(own: readonly OwnSubscription[]) {
  const running = own.filter(({ currentStatus }) => !hasEnded(currentStatus))
  return {
    moving: running.filter(({ row }) => row.origin !== 'offline'),
    staying: running.filter(({ row }) => row.origin === 'offline'),
  }
}

/** What the recipient gets, and is charged, with this card. */
export function offerOf(moving: readonly OwnSubscription[], card: Offer['card'] | undefined): Offer {
  return {
    subscriptions: moving.map((own) => offered(own, card !== undefined)),
    ...(card && { card }),
  }
}

function offered({ row, productName, parentName }: OwnSubscription, hasCard: boolean): OfferedSubscription {
  const { id: subscriptionId, userCount, storageCapacity, connectors, term, price, currency } = row
  const until = movedEnd(row)
  const isCharged = hasCard && canGoOn(row) && price !== null && currency !== null
  return {
    ...{ subscriptionId, productName, parentName: parentName ?? '', userCount, storageCapacity, connectors, term },
    until: until?.toISOString() ?? '',
    ...(isCharged && { charge: { amount: price, currency } }),
  }
}

export function transferable({ row, productName, parentName }: OwnSubscription): Transferable {
  const { id: stripeSubscriptionId, userCount, storageCapacity, connectors: esignConnectors } = row
  const size = { userCount, storageCapacity, esignConnectors }
  return { stripeSubscriptionId, appName: productName, ...size, parentName: parentName ?? '' }
}
