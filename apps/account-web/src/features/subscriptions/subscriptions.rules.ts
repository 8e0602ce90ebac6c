import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'

type Facts = Pick<
  Subscription,
  | 'stripeSubscriptionStatus'
  | 'nextPlanPeriodStart'
  | 'stripeCurrentPeriodEnd'
  | 'trialEnd'
  | 'accessEnd'
  | 'isExpiring'
  | 'beginsAt'
>

/** Whether another one in the list has the same product, so that its name does not say which of them is meant. */
export function isNameShared(
  { stripeSubscriptionId: id, appName }: Pick<Subscription, 'stripeSubscriptionId' | 'appName'>,
  list: readonly Pick<Subscription, 'stripeSubscriptionId' | 'appName'>[],
): boolean {
  return list.some((other) => other.appName === appName && other.stripeSubscriptionId !== id)
}

/** What happens next, or happened last, and when. */
export interface Moment {
  kind: 'begins' | 'renews' | 'expires' | 'trialEnds' | 'access' | 'ended'
  date: Date
}

/** The sentence below a status (001 §4); undefined if it has no end. */
export function momentOf(facts: Facts): Moment | undefined {
  const { stripeSubscriptionStatus: status, nextPlanPeriodStart, stripeCurrentPeriodEnd, trialEnd, accessEnd } = facts
  if (facts.beginsAt !== undefined) return at('begins', facts.beginsAt)
  if (status === 'trialing') return at('trialEnds', trialEnd || accessEnd)
  if (status === 'active' && nextPlanPeriodStart === '') return at('renews', stripeCurrentPeriodEnd)
  if (status === 'active' || status === 'offline-purchase' || status === 'given') {
    return at('expires', nextPlanPeriodStart || stripeCurrentPeriodEnd)
  }
  if (facts.isExpiring === 1) return at('access', accessEnd)
  return status === 'pending' ? undefined : at('ended', accessEnd)
}

function at(kind: Moment['kind'], date: string): Moment | undefined {
  return date === '' ? undefined : { kind, date: new Date(date) }
}

/** How much of the period has passed, from 0 to 1; undefined without a period that runs. */
export function passedOf(
  {
    stripeCurrentPeriodStart,
    stripeCurrentPeriodEnd,
    trialEnd,
    accessEnd,
    stripeSubscriptionStatus: status,
  }: Subscription,
  now: Date,
): number | undefined {
  const periodEnd = status === 'trialing' && trialEnd !== '' ? trialEnd : stripeCurrentPeriodEnd
  // What was not paid can be used until access ends.
  const end = status === 'past_due' && accessEnd !== '' ? accessEnd : periodEnd
  if (stripeCurrentPeriodStart === '' || end === '' || status === 'canceled' || status === 'prepayment-expired') {
    return undefined
  }
  const [from, to] = [Date.parse(stripeCurrentPeriodStart), Date.parse(end)]
  return to <= from ? undefined : Math.min(1, Math.max(0, (now.getTime() - from) / (to - from)))
}

/** What the Owner can do about a payment that failed; undefined: nothing here. */
export function dueAction(
  {
    stripeSdkUrl,
    needsConfirmation,
    payType,
    dueOrders,
  }: Pick<Subscription, 'stripeSdkUrl' | 'needsConfirmation' | 'payType' | 'dueOrders'>,
  maySell: boolean,
): 'pay' | 'confirm' | 'card' | 'paypal' | undefined {
  // Each has its own page.
  if (stripeSdkUrl === '' && dueOrders && maySell) return 'pay'
  if (stripeSdkUrl !== '' && maySell) return needsConfirmation === 1 ? 'confirm' : 'pay'
  return payType === '' ? undefined : payType
}

/** A change that was begun, and whose payment the bank has not confirmed or the customer not approved at PayPal. */
export function isChangeWaiting({
  stripeSubscriptionStatus,
  userType,
  stripeSdkUrl,
  openChange,
}: Subscription): boolean {
  if (openChange) return true
  return stripeSubscriptionStatus === 'active' && userType === seatTypes.owner && stripeSdkUrl !== ''
}

/** A payment of the member that failed, while access lasts or it can be made here; one beside the periods fails while they go on. */
export function isDue(subscription: Subscription): boolean {
  const { userType, isExpiring, stripeSdkUrl, payType, dueAmount } = subscription
  if (isDueBeside(subscription)) return true
  const isOwn = subscription.stripeSubscriptionStatus === 'past_due' && userType === seatTypes.owner
  const isPayable = stripeSdkUrl !== '' || (payType === 'card' && dueAmount !== undefined)
  return isOwn && (isExpiring === 1 || isPayable)
}

function isDueBeside({ stripeSubscriptionStatus: status, dueOrders }: Subscription): boolean {
  return (status === 'active' || status === 'trialing') && dueOrders !== undefined
}

/** How a payment that the customer went to make has ended; undefined: it is still open. */
export function paymentOutcome(before: Subscription, now: Subscription): 'received' | 'notMade' | 'over' | undefined {
  if (isDue(now) || isChangeWaiting(now)) return undefined
  if (isDueBeside(before)) return now.stripeSubscriptionStatus === before.stripeSubscriptionStatus ? 'received' : 'over'
  if (isDue(before)) return now.stripeSubscriptionStatus === 'active' ? 'received' : 'over'
  return sizeOf(now) === sizeOf(before) ? 'notMade' : 'received'
}

function sizeOf({ appCode, paidType, userCount, storageCapacity, esignConnectors }: Subscription): string {
  return [appCode, paidType, userCount, storageCapacity, esignConnectors].join(' ')
}
