import { isRecent } from '../../db/calendar.rules.ts'
import type { Projection } from './projection.rules.ts'
import { hasEnded, isDue, isInUse, wasDue } from './subscription-flags.rules.ts'

/** What the Owner is told by email. */
export type SubscriptionEmail =
  | 'started'
  | 'trialStarted'
  | 'renewed'
  | 'paymentFailed'
  | 'confirmPayment'
  | 'recovered'
  | 'renewalOff'
  | 'renewalOn'
  | 'changed'
  | 'changeUnconfirmed'
  | 'changeAhead'
  | 'changeConfirmed'
  | 'oldPlanRenewed'
  | 'ended'
  | 'endSoon'
  | 'renewSoon'
  | 'confirmSoon'
  | 'trialEnding'
  | 'trialRenewing'
  | 'trialCardExpires'
  | 'trialPaid'
  | 'trialEnded'

/** Emails about what ends, or has ended. */
export const aboutEnds: readonly SubscriptionEmail[] = ['renewalOff', 'endSoon', 'ended', 'trialEnded']

/** Emails about what begins with the next period. */
export const aboutNext: readonly SubscriptionEmail[] = ['changeAhead', 'changeConfirmed', 'renewSoon']

export type SubscriptionState = Pick<
  Projection,
  | 'status'
  | 'productCode'
  | 'userCount'
  | 'term'
  | 'storageCapacity'
  | 'connectors'
  | 'periodStart'
  | 'periodEnd'
  | 'trialEnd'
  | 'cancelAt'
  | 'pastDueSince'
  | 'endedAt'
  | 'createdAt'
  | 'nextAttemptAt'
  | 'needsConfirmation'
  | 'isRenewing'
  | 'dueAmount'
  | 'pendingPlanId'
  | 'nextPlan'
>

/** Emails about the end of a trial. */
export const trialEmails: readonly SubscriptionEmail[] = [
  'trialStarted',
  'trialEnding',
  'trialRenewing',
  'trialCardExpires',
]

/** The date that an email is about. */
export function dateOf(
  kind: SubscriptionEmail,
  {
    status,
    trialEnd,
    cancelAt,
    endedAt,
    periodEnd,
  }: Pick<SubscriptionState, 'status' | 'trialEnd' | 'cancelAt' | 'endedAt' | 'periodEnd'>,
): Date | null {
  if (trialEmails.includes(kind)) return trialEnd ?? periodEnd
  if (kind === 'ended' || kind === 'trialEnded') return endedAt
  if (kind === 'endSoon' && status === 'trialing') return cancelAt ?? trialEnd ?? periodEnd
  if (kind === 'renewalOff' || kind === 'endSoon') return endedAt ?? cancelAt ?? periodEnd
  return periodEnd
}

type Happened = (before: SubscriptionState, after: SubscriptionState, now: Date) => boolean

/** The first that applies is sent: of several things that happened at once, the one that matters most. */
const emails: readonly (readonly [SubscriptionEmail, Happened])[] = [
  ['confirmPayment', (before, after) => isDue(after) && after.needsConfirmation && !before.needsConfirmation],
  ['paymentFailed', (before, after, now) => isDue(after) && (!isDue(before) || hasFailedAgain(before, after, now))],
  ['recovered', (before, after) => wasDue(before) && isSettled(after)],
  ['trialPaid', isPaidAfterTrial],
  ['changeUnconfirmed', (before, after) => hasChanged(before, after) && isUnconfirmed(after)],
  ['changeAhead', hasAsked],
  ['oldPlanRenewed', isOldPlanRenewed],
  ['changed', hasChanged],
  ['changeConfirmed', isConfirmed],
  ['renewalOff', (before, after) => before.cancelAt === null && after.cancelAt !== null],
  ['renewalOn', (before, after) => before.cancelAt !== null && after.cancelAt === null && after.periodEnd !== null],
  ['renewed', isRenewed],
]

/**
 * The email for what happened between two states of a subscription, if any. A state that is not known here, an end that stays
 * one, and what happened long ago are not told.
 * @param before undefined if it is new here
 */
export function emailOfChange(
  before: SubscriptionState | undefined,
  after: SubscriptionState,
  now: Date,
): SubscriptionEmail | undefined {
  if (after.status === 'pending') return undefined
  if (before?.status === 'pending' && before.userCount === 0) return emailOfCorrected(before, after, now)
  if (before === undefined || before.status === 'pending')
    return emailOfStart(after, { startedAt: startOf(before, after), now })
  if (hasEnded(before.status)) return before.cancelAt !== null && isRenewing(after) ? 'renewalOn' : undefined
  if (hasEnded(after.status)) return isRecent(after.endedAt ?? now, now) ? emailOfEnd(before, after) : undefined
  return emails.find(([, happened]) => happened(before, after, now))?.[0]
}

/** Of what had a quantity that is not one, and was told as begun before: nothing new begins. */
function emailOfCorrected(
  before: SubscriptionState,
  after: SubscriptionState,
  now: Date,
): SubscriptionEmail | undefined {
  if (hasEnded(after.status)) return isRecent(after.endedAt ?? now, now) ? emailOfEnd(before, after) : undefined
  return isDue(after) ? emailOfDue(after) : undefined
}

/** What was bought to begin later starts then. */
function startOf(before: SubscriptionState | undefined, { createdAt, periodStart }: SubscriptionState): Date {
  return before?.periodStart.getTime() === periodStart.getTime() && periodStart > createdAt ? periodStart : createdAt
}

function emailOfStart(
  after: SubscriptionState,
  { startedAt, now }: { startedAt: Date; now: Date },
): SubscriptionEmail | undefined {
  if (!isRecent(startedAt, now)) return undefined
  if (after.status === 'active') return 'started'
  if (after.status === 'trialing' && (after.trialEnd ?? after.periodEnd) !== null) return 'trialStarted'
  return isDue(after) ? emailOfDue(after) : undefined
}

function emailOfDue({ needsConfirmation }: SubscriptionState): SubscriptionEmail {
  return needsConfirmation ? 'confirmPayment' : 'paymentFailed'
}

/** A trial that nobody turned off is ended by the provider only if nothing was there to pay for what follows it. */
function emailOfEnd(before: SubscriptionState, { trialEnd, cancelAt, endedAt }: SubscriptionState): SubscriptionEmail {
  const isOver = trialEnd !== null && endedAt !== null && endedAt >= trialEnd
  return before.status === 'trialing' && cancelAt === null && isOver ? 'trialEnded' : 'ended'
}

function isSettled(after: SubscriptionState): boolean {
  return isInUse(after) && after.pastDueSince === null
}

function isRenewing(after: SubscriptionState): boolean {
  return isInUse(after) && after.cancelAt === null
}

/** Clocks differ, and a provider may be early. */
const earlyMs = 3_600_000

/** A retry moves the date of the next one, or removes it. */
function hasFailedAgain(before: SubscriptionState, after: SubscriptionState, now: Date): boolean {
  const due = before.nextAttemptAt
  return due !== null && due.getTime() <= now.getTime() + earlyMs && due.getTime() !== after.nextAttemptAt?.getTime()
}

/** The first period that is paid begins where the trial ended. */
function isPaidAfterTrial(before: SubscriptionState, after: SubscriptionState): boolean {
  if (after.status !== 'active' || after.isRenewing || after.cancelAt !== null) return false
  return (
    before.status === 'trialing' || (before.isRenewing && after.trialEnd?.getTime() === after.periodStart.getTime())
  )
}

/**
 * A product or term that the catalog did not know before has not changed, nor has one that counts otherwise since its flags were
 * edited.
 */
function hasChanged(before: SubscriptionState, after: SubscriptionState): boolean {
  if (before.term === null || after.term === null) return false
  if (before.productCode !== after.productCode || before.term !== after.term) return true
  if ((before.storageCapacity === 0) !== (after.storageCapacity === 0)) return false
  return (
    before.userCount !== after.userCount ||
    before.storageCapacity !== after.storageCapacity ||
    before.connectors !== after.connectors
  )
}

/** It is paid until the end of the period; what PayPal bills from then on, the customer has to confirm there. */
function isUnconfirmed({ pendingPlanId = null, cancelAt }: SubscriptionState): boolean {
  return pendingPlanId !== null && cancelAt === null
}

/** Something else is to begin with the next period, once the customer has confirmed it at PayPal. */
function hasAsked(before: SubscriptionState, after: SubscriptionState): boolean {
  const isAhead = isUnconfirmed(after) && after.nextPlan?.when === 'confirmed'
  return isAhead && (before.nextPlan?.when !== 'confirmed' || before.pendingPlanId !== after.pendingPlanId)
}

/** Within the period: what was not confirmed by its end is over, and the old plan renews. */
function isConfirmed(before: SubscriptionState, after: SubscriptionState): boolean {
  const isOpen = (after.pendingPlanId ?? null) !== null
  return (
    isUnconfirmed(before) && !isOpen && isRenewing(after) && before.periodEnd?.getTime() === after.periodEnd?.getTime()
  )
}

/**
 * What was paid until the end of a period was not confirmed for the next one. A change that begins with the next period differs only once
 * it is confirmed.
 */
function isOldPlanRenewed(before: SubscriptionState, after: SubscriptionState): boolean {
  const isOver = isUnconfirmed(before) && !isUnconfirmed(after) && before.nextPlan?.when !== 'confirmed'
  return isOver && hasChanged(before, after) && after.status === 'active' && after.periodStart > before.periodStart
}

/** The next period has begun, and is paid. */
function isRenewed(before: SubscriptionState, after: SubscriptionState): boolean {
  if (after.status !== 'active' || after.isRenewing) return false
  return before.isRenewing || (before.periodEnd !== null && after.periodStart >= before.periodEnd)
}
