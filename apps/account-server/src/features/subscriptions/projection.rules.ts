import type { SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import { continues } from '../../outside/card-provider/moved-subscriptions.ts'
import { pausedPaid } from '../../outside/card-provider/paused-status.ts'
import type { BilledSubscription } from '../../outside/card-provider/subscriptions.ts'
import type { KnownPrice } from './known-price.ts'
import { pendingChangeOf } from './plan-change/pending-change.rules.ts'
import { planOfSchedule } from './planned-change.rules.ts'
import { hasSoldQuantity, mainOf, priceOfTerm, soldCounts, withKnown } from './sold-quantity.rules.ts'
import type { LastDecline, SubscriptionRow } from './subscriptions.tables.ts'

/** The columns of a subscription that follow from what the provider has. */
export type Projection = Pick<
  SubscriptionRow,
  | 'productCode'
  | 'status'
  | 'userCount'
  | 'autoRenew'
  | 'periodStart'
  | 'periodEnd'
  | 'trialEnd'
  | 'cancelAt'
  | 'pastDueSince'
  | 'endedAt'
  | 'createdAt'
  | 'term'
  | 'price'
  | 'currency'
  | 'storageCapacity'
  | 'connectors'
  | 'commitmentEnd'
  | 'dueAmount'
  | 'dueUrl'
  | 'nextAttemptAt'
  | 'needsConfirmation'
  | 'isRenewing'
  | 'paidUntil'
  | 'paidBy'
> &
  Partial<
    Pick<
      SubscriptionRow,
      | 'providerItems'
      | 'pendingChange'
      | 'lastDecline'
      | 'ownCard'
      | 'isProviderTrial'
      | 'declineCode'
      | 'declinedCard'
      | 'pendingPlanId'
      | 'pendingQuantity'
      | 'nextPlan'
      | 'parentId'
      | 'trialProduct'
    >
  >

/** The provider's states; one that is not here is shown as pending, and grants nothing. */
const statuses: ReadonlyMap<string, SubscriptionStatus> = new Map([
  ['active', 'active'],
  ['trialing', 'trialing'],
  ['past_due', 'past_due'],
  ['unpaid', 'past_due'],
  ['canceled', 'canceled'],
  ['incomplete_expired', 'canceled'],
  // A trial that ended without a card: it can be used until its end.
  ['paused', 'active'],
  // By the vendor, who delivers nothing until it is resumed.
  ['pause_requested', 'pending'],
  // Its time was over before it was paid, or the provider does not resume it.
  [pausedPaid, 'pending'],
])

/** Whether it was never paid: it is not listed. */
export function isUnpaidStart({ status }: Pick<BilledSubscription, 'status'>): boolean {
  return status === 'incomplete' || status === 'incomplete_expired'
}

export function isKnownStatus({ status }: Pick<BilledSubscription, 'status'>): boolean {
  return statuses.has(status) || status === 'incomplete'
}

interface Facts {
  /** By price id; complete for the subscription's items. */
  prices: ReadonlyMap<string, KnownPrice>
  /** The row before; undefined for a new subscription. */
  before:
    | (Pick<SubscriptionRow, 'pastDueSince'> &
        Partial<Pick<SubscriptionRow, 'status' | 'trialEnd' | 'lastDecline' | 'paidBy'>>)
    | undefined
  now: Date
}

/**
 * The provider's subscription as a row. The first item that is no connector is what is subscribed to, connectors are counted; the
 * price is for a whole term, before tax and discounts.
 * @returns undefined if it has no items, which the provider does not do
 */
export function projectionOf(billed: BilledSubscription, facts: Facts): Projection | undefined {
  const { prices, now } = facts
  const before = facts.before && withoutSettled(facts.before)
  const items = withKnown(billed, prices)
  const main = mainOf(items)
  if (!main?.known) return undefined
  const { productCode, term } = main.known
  const { status: stated, trialEnd, paidBy } = trialOf(billed, { before, period: main })
  const isSold = hasSoldQuantity(billed, prices)
  const status = isSold || stated === 'canceled' ? stated : 'pending'
  const cancelAt = billed.cancelAt ?? pausedUntil(billed, main.periodEnd)
  const connectors = items.filter((item) => item !== main && item.known?.isConnector)
  const isPastDue = status === 'past_due'
  const due = isPastDue || billed.pendingChange ? billed.openInvoice : null

  return {
    productCode,
    status,
    ...soldCounts(isSold ? main : undefined, connectors),
    autoRenew: cancelAt === null && status !== 'canceled',
    periodStart: main.periodStart,
    periodEnd: main.periodEnd,
    trialEnd,
    cancelAt,
    pastDueSince: isPastDue ? dueSince(billed, before, now) : unpaidSince(status, before),
    // A schedule's end is a fixed term: it cannot be resumed.
    endedAt: status === 'canceled' ? (billed.endedAt ?? main.periodEnd) : (billed.schedule?.endsAt ?? null),
    nextPlan: planOfSchedule(billed, { prices, periodEnd: main.periodEnd }),
    createdAt: billed.createdAt,
    term,
    price: priceOfTerm(items, main.known),
    currency: main.currency,
    commitmentEnd: dateIn(billed.metadata.commitmentEnd),
    dueAmount: due?.amount ?? null,
    dueUrl: due?.url ?? '',
    nextAttemptAt: isPastDue ? (due?.nextAttemptAt ?? null) : null,
    needsConfirmation: isPastDue && due?.needsConfirmation === true,
    declineCode: (isPastDue && due?.declineCode) || '',
    declinedCard: (isPastDue && due?.declinedCard?.id) || '',
    lastDecline: lastDeclineOf(isPastDue ? due : null, before, now),
    isRenewing: billed.isRenewing,
    isProviderTrial: billed.status === 'trialing',
    ...{ paidUntil: null, paidBy },
    pendingChange: isPastDue ? null : pendingChangeOf(billed, prices),
    ownCard: billed.ownCard,
    providerItems: items.map(({ id, priceId, quantity, amount, isArchived, known }) => ({
      ...{ id, priceId, quantity, amount, ...(isArchived && { isArchived }) },
      productCode: known?.productCode ?? '',
      isConnector: known?.isConnector === true && priceId !== main.priceId,
    })),
  }
}

/**
 * What continues a transferred one begins unpaid, which the provider calls a trial or not as it can: here it is the rest of a trial
 * only if that was transferred. Until it is charged, its period is what was paid before.
 */
function trialOf(
  billed: BilledSubscription,
  { before, period }: Pick<Facts, 'before'> & { period: { periodStart: Date; periodEnd: Date } },
): Pick<SubscriptionRow, 'status' | 'trialEnd' | 'paidBy'> {
  const status = statuses.get(billed.status) ?? 'pending'
  if (billed.metadata[continues] === undefined) return { status, trialEnd: billed.trialEnd, paidBy: null }
  const isUnpaid = status === 'trialing' || (status === 'active' && period.periodStart <= billed.createdAt)
  const paidBy = isUnpaid ? (before?.paidBy ?? null) : null
  if (isUnpaid && before?.status === 'trialing') return { status: 'trialing', trialEnd: period.periodEnd, paidBy }
  return { status: status === 'trialing' ? 'active' : status, trialEnd: before?.trialEnd ?? null, paidBy }
}

/** A trial that ended without a card can be used until then, also if its period was moved on; null: it is not paused. */
function pausedUntil({ status, trialEnd }: BilledSubscription, periodEnd: Date): Date | null {
  if (status !== 'paused') return null
  return trialEnd && trialEnd < periodEnd ? trialEnd : periodEnd
}

/** A change that is not made leaves nothing to pay: its invoice is voided next. */
export function withoutDue(after: Projection | undefined): Projection | undefined {
  return after?.status === 'active' ? { ...after, dueAmount: null, dueUrl: '' } : after
}

/** What goes on, although an older invoice is open, is not past due: it counts anew once it is again. */
function withoutSettled(before: NonNullable<Facts['before']>): NonNullable<Facts['before']> {
  const goesOn = before.status === 'active' || before.status === 'trialing'
  return goesOn ? { ...before, pastDueSince: null } : before
}

/** What ended unpaid keeps the day since when: it is why it ended. */
function unpaidSince(status: SubscriptionStatus, before: Facts['before']): Date | null {
  const wasUnpaid = before?.status === 'past_due' || before?.status === 'canceled'
  return status === 'canceled' && wasUnpaid ? (before?.pastDueSince ?? null) : null
}

/**
 * From when the days of retries count. The provider ends a subscription once it has tried any of its invoices for the last time, if the
 * latest is not paid either: an older one that it still tries counts. One that it does not try any more was left open while later ones
 * were paid.
 */
function dueSince({ openInvoice: open, status }: BilledSubscription, before: Facts['before'], now: Date): Date {
  const known = before?.pastDueSince
  // Once the retries are over, a payment of the oldest does not begin them anew.
  if (!open || status === 'unpaid') return known ?? open?.since ?? now
  const { since, dates, retriedSince } = open
  const newest = dates[0] ?? since
  if (!known) return retriedSince ?? (before ? newest : since)
  const isPaid = !dates.some((date) => date.getTime() === known.getTime())
  if (isPaid) return retriedSince ?? newest
  return retriedSince && retriedSince < known ? retriedSince : known
}

/**
 * The first card that is declined for what is past due is the one that pays the renewals; what the customer tries after it, on the
 * invoice's page, is not. Each retry of the same card moves the date.
 */
function lastDeclineOf(due: BilledSubscription['openInvoice'], before: Facts['before'], now: Date): LastDecline | null {
  const { lastDecline: known = null, pastDueSince = null } = before ?? {}
  const isOfNow = known !== null && pastDueSince !== null && Date.parse(known.at) >= pastDueSince.getTime()
  if (!due?.declinedCard) return known
  const { id: cardId, brand, last4 } = due.declinedCard
  if (isOfNow) {
    const retriedAt = cardId === known.cardId ? due.declinedAt : null
    return retriedAt && retriedAt.getTime() > Date.parse(known.at) ? { ...known, at: retriedAt.toISOString() } : known
  }
  return { cardId, brand, last4, at: (due.declinedAt ?? (before ? now : due.since)).toISOString() }
}

/** What a vendor wrote, in whole seconds, as the provider takes it; null: it is no date, or none that the database takes. */
function dateIn(text: string | undefined): Date | null {
  const date = new Date(text ?? '')
  date.setUTCMilliseconds(0)
  const year = date.getUTCFullYear()
  return year >= 1970 && year <= 9999 ? date : null
}

/**
 * The items say the same as product, seats and connectors, a change that waits as what is due, and the end of a trial as its product; which card pays is the customer's own choice, and why one was declined a
 * matter between them and their bank.
 */
const untold: ReadonlySet<keyof Projection> = new Set([
  ...([
    'providerItems',
    'isProviderTrial',
    'pendingChange',
    'nextPlan',
    'lastDecline',
    'ownCard',
    'declineCode',
    'declinedCard',
    'paidUntil',
    'paidBy',
    'trialProduct',
  ] as const),
])

/** The columns that differ, before and after, for the activity. */
export function differences(before: Partial<Projection>, after: Projection): (keyof Projection)[] {
  const names = Object.keys(after).filter((name): name is keyof Projection => name in after)
  const told = names.filter((name) => !untold.has(name))
  return told.filter((name) => comparable(before[name]) !== comparable(after[name]))
}

function comparable(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : (value ?? null)
}
