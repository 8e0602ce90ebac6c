import { type ComingCharge, type RenewalPrompt, type RenewalReason, renewalReasons } from '@atrium/contract/products.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Addresses } from './addresses.rules.ts'
import { endOf, isOver, isRenewing, licenseStep, nextStep, runningTrial, timeOf } from './next-step.rules.ts'
import type { LicensedRow } from './own-licenses.queries.ts'
import type { PromptRow } from './products.queries.ts'
import { licensesPrefix } from './products.tables.ts'

const dayMs = 86_400_000

/** Days after an end, before one, and before that of a trial, in which it is said. */
const endedDays = 30
const endingDays = 30
const trialDays = 7

/** Days ahead in which a charge is compared with the card's end. */
const chargeDays = 60

export interface PromptView {
  now: Date
  maySell: boolean
  addresses: Addresses
}

/** What a member has that ends, or is charged. */
export interface PromptRows {
  owned: readonly PromptRow[]
  licensed: readonly LicensedRow[]
}

/** What the Owner or Holder should see to, worst first, then the soonest (`docs/coverage.md`, "My Products"). */
export function promptsOf({ owned, licensed }: PromptRows, view: PromptView): RenewalPrompt[] {
  return [
    ...owned.flatMap((row) => promptOf(row, view) ?? []),
    ...licensed.flatMap((row) => promptOfLicenses(row, view) ?? []),
  ].toSorted((one, other) => rank(one) - rank(other) || Date.parse(one.date) - Date.parse(other.date))
}

function rank({ reason }: Pick<RenewalPrompt, 'reason'>): number {
  return renewalReasons.indexOf(reason)
}

function promptOf(row: PromptRow, { now, maySell, addresses }: PromptView): RenewalPrompt | undefined {
  const reason = reasonOf(row, now)
  if (reason === undefined) return undefined
  const { showTime: date, remainDays } = timeOf(row, now)
  const trial = runningTrial(row, seatTypes.owner)
  return {
    subject: row.id,
    stripeSubscriptionId: row.id,
    appCode: row.productCode,
    appName: row.product.name,
    reason,
    date,
    remainDays,
    isCanceled: row.cancelAt === null ? 0 : 1,
    ...(trial && { trial }),
    ...nextStep({ row, role: seatTypes.owner, now, maySell }, addresses),
  }
}

function reasonOf(row: PromptRow, now: Date): RenewalPrompt['reason'] | undefined {
  if (row.currentStatus === 'past_due') return 'past_due'
  if (row.currentStatus === 'pending') return undefined
  const days = ((endOf(row)?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime()) / dayMs
  if (isOver(row, now)) return days >= -endedDays ? 'ended' : undefined
  if (row.currentStatus === 'trialing') {
    const left = (Date.parse(timeOf(row, now).showTime) - now.getTime()) / dayMs
    return left <= trialDays ? 'trial_ending' : undefined
  }
  return !isRenewing(row) && days <= endingDays ? 'ending' : undefined
}

/** The first license of a product to end, or the product whose last license has ended. */
function promptOfLicenses(row: LicensedRow, { now, maySell, addresses }: PromptView): RenewalPrompt | undefined {
  const reason = row.isValid ? 'license_ending' : 'ended'
  const end = row.isValid ? row.nextEnd : row.end
  if (end === null) return undefined
  const days = (end.getTime() - now.getTime()) / dayMs
  if (row.isValid ? days > endingDays : days < -endedDays) return undefined
  return {
    subject: licensesPrefix + row.productCode,
    stripeSubscriptionId: '',
    appCode: row.productCode,
    appName: row.product.name,
    reason,
    date: end.toISOString(),
    remainDays: Math.max(0, Math.ceil(days)),
    isCanceled: 0,
    ...licenseStep({ row, isEnding: true, maySell }, addresses),
  }
}

/** The next charge of each card, the soonest first: whether it still is valid then, only the card provider knows. */
export function comingCharges(rows: readonly PromptRow[], now: Date): ComingCharge[] {
  const charges = rows
    .flatMap((row) => chargeOf(row, now) ?? [])
    .toSorted((one, other) => Date.parse(one.date) - Date.parse(other.date))
  const byCard = Map.groupBy(charges, ({ paymentMethodId }) => paymentMethodId)
  return [...byCard.values()].flatMap(([first]) => first ?? [])
}

function chargeOf(row: PromptRow, now: Date): ComingCharge | undefined {
  const { currentStatus: status, periodEnd, channel, origin, ownCard, paidFrom } = row
  const isRunning = isRenewing(row) && (status === 'active' || status === 'trialing')
  // The default card of the page of cards pays nothing at another customer.
  const isOnPage = ownCard !== '' || paidFrom === 'account'
  const isCharged = origin === 'online' && channel === 'card' && isRunning && isOnPage
  if (!isCharged || periodEnd === null || periodEnd.getTime() > now.getTime() + chargeDays * dayMs) return undefined
  return {
    stripeSubscriptionId: row.id,
    appName: row.product.name,
    date: periodEnd.toISOString(),
    paymentMethodId: ownCard,
  }
}

/** Whether the member has hidden it, less than seven days ago. */
export function isDismissed({ owned, licensed }: PromptRows, subject: string, reason: RenewalReason): boolean {
  const row =
    owned.find(({ id }) => id === subject) ??
    licensed.find(({ productCode }) => licensesPrefix + productCode === subject)
  return row?.dismissed.includes(reason) ?? false
}
