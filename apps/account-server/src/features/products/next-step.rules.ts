import type { ButtonType, MyProduct, TrialTerms } from '@atrium/contract/products.ts'
import { type SeatType, seatTypes } from '@atrium/contract/seat-types.ts'
import { isContinuable } from '../subscriptions/moving/moving.rules.ts'
import { isInRenewalWindow, renewedTerm } from '../subscriptions/renewal/renewal-window.rules.ts'
import { type FlagFacts, hasEnded, isUnbegun, subscriptionFlags } from '../subscriptions/subscription-flags.rules.ts'
import { trialTerms } from '../subscriptions/subscription-record.rules.ts'
import type { Addresses } from './addresses.rules.ts'
import type { LicensedRow } from './own-licenses.queries.ts'
import type { PromptRow } from './products.queries.ts'

const dayMs = 86_400_000

/** A fixed term can be renewed from so many days before its end (`docs/coverage.md`, "My Products"). */
export const renewableDays = 90

type Row = Omit<PromptRow, 'dismissed'>

export interface StepFacts {
  row: Row
  role: SeatType
  now: Date
  /** Nothing is sold in the Russian locale. */
  maySell: boolean
}

export type Time = Pick<MyProduct, 'showTimeType' | 'showTime' | 'remainDays'>

/** The line about time of a card (001 §4): the trial's end, the renewal, the end, or that access has ended. */
export function timeOf(row: Row, now: Date): Time {
  if (isOver(row, now)) return at('has_expired', endOf(row), now)
  if (isUnbegun(row, now)) return at('begins_on', row.periodStart, now)
  if (row.currentStatus === 'pending') return at('', null, now)
  if (row.currentStatus === 'trialing') return at('will_expire', row.cancelAt ?? row.trialEnd ?? row.periodEnd, now)
  // What was not paid renews no more: the days of retries are its end.
  if (row.currentStatus === 'past_due') return at('expire_on', endOf(row), now)
  if (isRenewing(row)) return at('renew_date', row.periodEnd, now)
  return at('expire_on', row.cancelAt ?? row.periodEnd, now)
}

export function at(showTimeType: Time['showTimeType'], date: Date | null, now: Date): Time {
  if (date === null)
    return { showTimeType: showTimeType === 'has_expired' ? showTimeType : '', showTime: '', remainDays: 0 }
  const remainDays = Math.max(0, Math.ceil((date.getTime() - now.getTime()) / dayMs))
  return { showTimeType, showTime: date.toISOString(), remainDays }
}

/** Whether it gives no access any more; a state that is not known here never did. */
export function isOver({ currentStatus, accessEnd }: Row, now: Date): boolean {
  return currentStatus !== 'pending' && (hasEnded(currentStatus) || accessEnd * 1000 <= now.getTime())
}

/** When access ends, or ended; null: it does not as things are. */
export function endOf({ accessEnd, endedAt, cancelAt, trialEnd, periodEnd, status }: Row): Date | null {
  if (Number.isFinite(accessEnd)) return new Date(accessEnd * 1000)
  return accessEnd > 0 ? null : (endedAt ?? cancelAt ?? (status === 'trialing' ? trialEnd : null) ?? periodEnd)
}

export function isRenewing({ autoRenew, cancelAt }: Pick<Row, 'autoRenew' | 'cancelAt'>): boolean {
  return autoRenew && cancelAt === null
}

/** Whether it is, or never was more than, a trial. */
export function isTrial({ currentStatus, status, trialEnd, endedAt }: Row): boolean {
  if (status === 'trialing') return true
  // A trial that nobody paid is canceled within hours of its end.
  return (
    hasEnded(currentStatus) && trialEnd !== null && endedAt !== null && endedAt.getTime() <= trialEnd.getTime() + dayMs
  )
}

/** What decides what follows a trial that runs; undefined: none does, or it is not the caller's. */
export function runningTrial(row: Row, role: SeatType): TrialTerms | undefined {
  return row.currentStatus === 'trialing' && role === seatTypes.owner ? trialTerms(row) : undefined
}

type Step = Pick<MyProduct, 'showButtonType' | 'showButtonUrl'>

/** The button of a card, the first that applies, and where it leads; people who are not the Owner can only look. */
export function nextStep(facts: StepFacts, addresses: Addresses): Step {
  const { row } = facts
  const view = { showButtonType: 'view', showButtonUrl: addresses.subscription(row) } as const
  if (facts.role !== seatTypes.owner) return view
  return payStep(facts, addresses) ?? renewStep(facts, addresses) ?? upgradeStep(facts, addresses) ?? view
}

/** What waits for a payment, or for a confirmation of one. */
function payStep(facts: StepFacts, addresses: Addresses): Step | undefined {
  const { row, maySell } = facts
  const { openPurchase, unpaidOrder, currentStatus } = row
  // The invoice's page shows what is paid to the partner who sold it.
  const dueUrl = row.isPriceHidden ? '' : row.dueUrl
  if (currentStatus === 'past_due') {
    // Who bought through a partner pays there; the row says so.
    if (row.isPriceHidden) return step('view', addresses.subscription(row))
    return step('past_due', maySell && dueUrl !== '' ? dueUrl : addresses.subscription(row))
  }
  const isLive = currentStatus === 'active'
  if (maySell && isLive && dueUrl !== '') return step('pay_now', dueUrl)
  if (maySell && openPurchase !== null) {
    return step('pay_now', addresses.dialog(openPurchase === 'subscription.renew' ? 'renew' : 'ordered', row.id))
  }
  if (isLive && unpaidOrder !== null) return step('waiting_to_pay', addresses.order(unpaidOrder))
  const { paypalRenewConfirm } = flagsOf(facts)
  // The address is PayPal's, and new each time it is asked for.
  return maySell && paypalRenewConfirm === 1 ? step('confirm_plan', '') : undefined
}

/** What has ended or will end, and can be had again. */
function renewStep(facts: StepFacts, addresses: Addresses): Step | undefined {
  const { row, now, maySell } = facts
  // What was given is never billed, and an add-on goes with what it belongs to.
  if (row.origin === 'given' || row.parentId !== null) return undefined
  const isEnding = isOver(row, now) || row.cancelAt !== null || isEndingTerm(row, now)
  if (row.origin === 'offline') return isEnding ? step('renew', addresses.renewalQuote(row)) : undefined
  if (!maySell) return undefined

  if (isTrial(row)) return row.isPriceHidden ? undefined : trialStep(facts, addresses)
  if (!isEnding) return undefined
  if (isRenewableTerm(facts)) return step('renew', addresses.dialog('renew', row.id))
  // Before the end auto-renewal is turned on again, in the subscription's own row.
  if (!isOver(row, now) && row.cancelAt !== null && flagsOf(facts).hideResume === 0) {
    return step('renew', addresses.subscription(row))
  }
  // Why it cannot be renewed, and when to buy it again, stands there: a second one now would run beside it.
  if (!isOver(row, now) && row.isOtherCurrency) return step('view', addresses.subscription(row))
  return row.isPriceHidden ? undefined : step('renew', addresses.shopFor(row))
}

/**
 * A trial that renews goes on by itself, or waits for a card, and a second purchase would be charged as well. One whose auto-renewal
 * is off is continued by turning it on, in the subscription's row; what cannot go on is bought.
 */
function trialStep(facts: StepFacts, addresses: Addresses): Step | undefined {
  const { row, now } = facts
  const buy = step('purchase', addresses.shopFor(row))
  if (isOver(row, now)) return buy
  if (isRenewing(row)) return undefined
  return isContinuable(row) ? step('renew', addresses.subscription(row)) : buy
}

interface LicenseFacts {
  row: Pick<LicensedRow, 'productCode' | 'product'>
  isEnding: boolean
  maySell: boolean
}

/** Licenses without a subscription are bought again when they end, and looked at until then. */
export function licenseStep({ row, isEnding, maySell }: LicenseFacts, addresses: Addresses): Step {
  return isEnding && maySell
    ? step('renew', addresses.shopFor({ ...row, term: null }))
    : step('view', addresses.licenses(row.product.sku))
}

function upgradeStep(facts: StepFacts, addresses: Addresses): Step | undefined {
  const canUpgrade = facts.maySell && flagsOf(facts).subscriptionUpgrade === 1
  return canUpgrade ? step('upgrade', addresses.dialog('upgrade', facts.row.id)) : undefined
}

function isEndingTerm(row: Row, now: Date): boolean {
  if (isRenewing(row) || row.periodEnd === null) return false
  return row.periodEnd.getTime() - now.getTime() <= renewableDays * dayMs
}

/** A prepaid term, also in the days after its end, while it can still be renewed (`renewal.rules.ts` decides again). */
function isRenewableTerm(facts: StepFacts): boolean {
  const { row, now } = facts
  if (flagsOf(facts).manualRenew === 1) return true
  const isOurs = row.channel === 'card' && row.providerId === null && !row.isPriceHidden && !row.isOtherCurrency
  const isSold = row.product.prices.some(({ term, currency }) => term === renewedTerm && currency === row.currency)
  return row.currentStatus === 'prepayment-expired' && isOurs && isSold && isInRenewalWindow(row.periodEnd, now)
}

function flagsOf({ row, role, now }: Pick<StepFacts, 'row' | 'role' | 'now'>) {
  const { product, currentStatus: status, countOfCap } = row
  const facts: FlagFacts = { row, product, role, status, countOfCap, now }
  return subscriptionFlags(facts)
}

function step(showButtonType: ButtonType, showButtonUrl: string): Step {
  return { showButtonType, showButtonUrl }
}
