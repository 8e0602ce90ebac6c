import { daysLater } from '../../db/calendar.rules.ts'
import type { BilledItem } from '../../outside/card-provider/billed-item.ts'
import type { Projection } from './projection.rules.ts'
import { isInUse } from './subscription-flags.rules.ts'
import type { LateIncrease, SubscriptionRow } from './subscriptions.tables.ts'

type Counts = Pick<SubscriptionRow, 'userCount' | 'storageCapacity' | 'connectors'>

type Before = Pick<SubscriptionRow, 'status' | 'providerId' | 'lateIncreases'> & Counts

interface Days {
  /** `PAST_DUE_DAYS` */
  pastDueDays: number
}

/**
 * What is remembered of increases, for the case that the next renewal fails: those of the last days of retries, until a renewal after them
 * is paid.
 */
export function lateIncreasesAfter(
  before: Before,
  after: Pick<Projection, 'status' | 'isRenewing' | 'periodStart' | 'createdAt'> & Counts,
  { pastDueDays, now }: Days & { now: Date },
): readonly LateIncrease[] {
  const { lateIncreases: known } = before
  if (!isInUse(after)) return known
  const { isRenewing, periodStart, createdAt } = after
  // The first period may continue what was transferred: that its renewal is paid is not known before it is over.
  const isRenewed = periodStart > createdAt
  const isOver = (at: Date) => at < daysLater(now, -pastDueDays) || (isRenewed && at <= periodStart)
  const kept = isRenewing ? known : known.filter(({ at }) => !isOver(new Date(at)))
  // A file's counts may be old.
  const isRead = before.providerId !== null && isInUse(before)
  if (!isRead || !isMore(after, before)) return kept
  // Seen only while the renewal is not paid, it counts as bought before it.
  const at = isRenewing && periodStart < now ? periodStart : now
  const { userCount, storageCapacity, connectors } = before
  return [...kept, { at: at.toISOString(), userCount, storageCapacity, connectors }]
}

interface Renewals extends Days {
  before: Before | undefined
  items: readonly Pick<BilledItem, 'periodStart'>[]
}

/**
 * In the days of retries there is no more than there was so many days before the renewal: in the last days of a period, what is added
 * costs next to nothing.
 */
export function untilPaid(
  after: Projection | undefined,
  { before, items, pastDueDays }: Renewals,
): Projection | undefined {
  if (after?.status !== 'past_due' || !before) return after
  // Since the payment has failed, nothing is added either.
  const isRead = before.providerId !== null && (isInUse(before) || before.status === 'past_due')
  const least = (name: keyof Counts, start: Date) => {
    const from = daysLater(start, -pastDueDays)
    const late = before.lateIncreases.filter(({ at }) => new Date(at) >= from && new Date(at) <= start)
    const counts: readonly Counts[] = [...late, ...(isRead ? [before] : [])]
    return Math.min(after[name], ...counts.filter((one) => isOfKind(one, after)).map((one) => one[name]))
  }
  // Connectors may be billed more often than the rest.
  const latestStart = new Date(Math.max(...items.map(({ periodStart }) => periodStart.getTime())))
  return {
    ...after,
    userCount: least('userCount', after.periodStart),
    storageCapacity: least('storageCapacity', after.periodStart),
    connectors: least('connectors', latestStart),
  }
}

type Billed = Pick<SubscriptionRow, 'status' | 'channel' | 'productCode' | 'providerItems'> & Counts

/** Whether less is there than the card provider bills, until it is paid. */
export function isHeldBack({ status, channel, productCode, providerItems, ...counts }: Billed): boolean {
  if (status !== 'past_due' || channel !== 'card') return false
  const { userCount, storageCapacity, connectors } = counts
  const main = providerItems.find((item) => item.productCode === productCode && !item.isConnector)
  const billed = providerItems.filter(({ isConnector }) => isConnector).reduce((sum, { quantity }) => sum + quantity, 0)
  return billed > connectors || (main?.quantity ?? 0) > (storageCapacity > 0 ? storageCapacity : userCount)
}

function isMore(after: Counts, before: Counts): boolean {
  const { userCount, storageCapacity, connectors } = before
  return after.userCount > userCount || after.storageCapacity > storageCapacity || after.connectors > connectors
}

/** Seats cannot be compared with storage. */
function isOfKind(one: Counts, other: Counts): boolean {
  return (one.storageCapacity === 0) === (other.storageCapacity === 0)
}
