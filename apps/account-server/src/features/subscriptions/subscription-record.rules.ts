import type { TrialTerms } from '@atrium/contract/products.ts'
import { type SeatType, seatTypes } from '@atrium/contract/seat-types.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import type { AccountConfig } from '../../config.ts'
import { allowedLink } from '../catalog/catalog.rules.ts'
import { declineReason } from '../payments/declines.rules.ts'
import type { DueOrder } from './due-orders.queries.ts'
import { isKnownByAddress } from './known-by-address.rules.ts'
import { isHeldBack } from './late-increases.rules.ts'
import { followingPlan } from './next-plan.rules.ts'
import { openChangeAtProvider, openChangeFrom } from './plan-change/open-change.queries.ts'
import { hasTeam, managesTeam, typeSeenBy } from './seats.rules.ts'
import { hasEnded, hasEndedUnpaid, isUnbegun, subscriptionFlags } from './subscription-flags.rules.ts'
import type { ListedSubscription } from './subscription-list.queries.ts'
import type { PlanAhead } from './subscriptions.tables.ts'

interface View {
  now: Date
  linkHosts: readonly string[]
  /** Which of the vendor's other programs exist. */
  hasRedactPortal: boolean
  hasStorage: boolean
  /** A support agent looks. */
  isSupport?: boolean
}

export function viewOf(config: AccountConfig, now: Date): View {
  return {
    now,
    linkHosts: config.LINK_HOSTS,
    hasRedactPortal: config.REDACT_PORTAL_URL !== undefined,
    hasStorage: config.STORAGE_URL !== undefined,
  }
}

/** The record of a list (001 §3). What is not the caller's to see, such as a hidden price, is left out here. */
export function subscriptionRecord(listed: ListedSubscription, view: View): Subscription {
  const { product, currentStatus: status, countOfCap, parentName, joinCount, accessEnd, ...row } = listed
  const role = listed.role ?? seatTypes.member
  const place = placeOf(listed, view)
  // A Member manages nothing, and nobody what gives no access (001 §6).
  const isManaged = managesTeam(typeSeenBy(view, role)) && accessEnd * 1000 > view.now.getTime()
  const manageBy = isManaged ? place : 'none'
  const isByAddress = role === seatTypes.owner && isKnownByAddress(listed)

  return {
    stripeSubscriptionId: row.id,
    appName: product.name,
    appCode: row.productCode,
    appIcon: product.icon,
    userCount: row.userCount,
    joinCount,
    storageCapacity: row.storageCapacity,
    esignConnectors: row.connectors,
    paidType: row.term ?? '',
    ...priceOf(listed, role),
    userType: role,
    stripeSubscriptionStatus: status,
    isExpiring: status !== 'active' && accessEnd * 1000 > view.now.getTime() ? 1 : 0,
    accessEnd: Number.isFinite(accessEnd) ? new Date(accessEnd * 1000).toISOString() : textOf(row.endedAt),
    trialEnd: textOf(row.trialEnd),
    nextPlanPeriodStart: textOf(endOf(listed)),
    stripeCurrentPeriodStart: textOf(row.periodStart),
    ...(isUnbegun(listed, view.now) && { beginsAt: row.periodStart.toISOString() }),
    stripeCurrentPeriodEnd: textOf(row.periodEnd),
    ...reversible(subscriptionFlags({ row, product, role, status, countOfCap, now: view.now }), { isByAddress }),
    hideManage: place === 'none' ? 1 : 0,
    manageBy,
    // It may open something in the name of whoever has it.
    manageUrl: manageBy === 'address' ? manageUrlOf(listed, view) : '',
    ...dueOf(listed, role, view.now),
    ...(role === seatTypes.owner && isHeldBack(row) && { isHeldBack: 1 as const }),
    knownByAddress: isByAddress ? 1 : 0,
    parentId: row.parentId ?? '',
    parentName: parentName ?? '',
  }
}

type Flags = ReturnType<typeof subscriptionFlags>

/**
 * Whom only a typed address made the Owner changes nothing for good of what somebody else may have paid for: envelope sharing, and the connectors
 * that need it, wait for a proof. That it renews may be turned off, since nothing that was paid is lost by it.
 */
function reversible(flags: Flags, { isByAddress }: { isByAddress: boolean }): Flags {
  const isForGood = flags.isNeedBindPooling === 1
  return isByAddress && isForGood ? { ...flags, isNeedBindPooling: 0, isSupportBuyConnector: 0 } : flags
}

type Row = Pick<
  ListedSubscription,
  | 'isPriceHidden'
  | 'price'
  | 'currency'
  | 'channel'
  | 'ownCard'
  | 'paidFrom'
  | 'payingCard'
  | 'term'
  | 'autoRenew'
  | 'cancelAt'
>

/** What decides what follows a running trial; what was bought through a partner is paid there. */
export function trialTerms(row: Row): TrialTerms {
  const { whetherHiddenPrice, ...price } = priceOf(row, seatTypes.owner)
  const none = { payType: '', paymentMethodId: '', paidFrom: 'account' } as const
  const payer = whetherHiddenPrice === 1 ? none : payerOf(row)
  return { autoRenewal: row.autoRenew && row.cancelAt === null ? 1 : 0, paidType: row.term ?? '', ...payer, ...price }
}

/** Only the Owner pays, and sees what. */
function priceOf({ isPriceHidden, price, currency }: Row, role: SeatType) {
  if (isPriceHidden || role !== seatTypes.owner) return { whetherHiddenPrice: 1 as const }
  if (currency === null) return { whetherHiddenPrice: 0 as const }
  return { whetherHiddenPrice: 0 as const, currency, ...(price !== null && { price }) }
}

const nothingToPay = {
  stripeSdkUrl: '',
  nextPaymentAttempt: '',
  needsConfirmation: 0,
  payType: '',
  paymentMethodId: '',
  paidFrom: 'account',
  declineReason: '',
  declinedCard: '',
  endedUnpaid: 0,
  endsForCurrency: 0,
} as const

/** What was bought through a partner is paid there: that a payment failed is said, and neither what is due nor where to pay it. */
function dueOf(listed: ListedSubscription, role: SeatType, now: Date) {
  const { nextAttemptAt, needsConfirmation, isPriceHidden } = listed
  if (role !== seatTypes.owner) return nothingToPay
  if (isPriceHidden) return { ...nothingToPay, nextPaymentAttempt: textOf(nextAttemptAt) }
  return {
    ...openOf(listed, now),
    ...nextOf(listed),
    nextPaymentAttempt: textOf(nextAttemptAt),
    needsConfirmation: needsConfirmation ? 1 : 0,
    ...payerOf(listed),
    declineReason: listed.declineCode === '' ? '' : declineReason(listed.declineCode),
    declinedCard: listed.declinedCard,
    endedUnpaid: hasEndedUnpaid(listed) ? 1 : 0,
    endsForCurrency: listed.isOtherCurrency && !hasEnded(listed.currentStatus) ? 1 : 0,
    ...(listed.lastDecline && { lastDecline: listed.lastDecline }),
  } as const
}

/** What is on the page of cards is named there. */
function payerOf({ channel, ownCard, paidFrom, payingCard }: Row) {
  const isElsewhere = channel === 'card' && paidFrom !== 'account'
  return {
    payType: channel === 'invoice' ? '' : channel,
    ...{ paymentMethodId: ownCard, paidFrom },
    ...(isElsewhere && payingCard && { payingCard }),
  } as const
}

/** What is to be paid; a change whose time has run out is not, whether or not the provider has said so yet. */
function openOf(listed: ListedSubscription, now: Date) {
  const { dueAmount, dueUrl, status, quoteOfOpenChange: quote } = listed
  const orders = listed.dueOrders ?? []
  // Of a single one that is past due, the sum says it all.
  const dueOrders = orders.length > (status === 'past_due' ? 1 : 0) ? { dueOrders: orders.map(dueOrderOf) } : {}
  if (quote?.expiresAt && Date.parse(quote.expiresAt) <= now.getTime()) return { stripeSdkUrl: '', ...dueOrders }
  const openChange = quote ? openChangeFrom(quote, listed) : openChangeAtProvider(listed)
  const due = { ...(dueAmount !== null && { dueAmount }), ...dueOrders }
  return { stripeSdkUrl: dueUrl, ...due, ...(openChange && { openChange }) }
}

/** The provider's code stays here (record 020). */
function dueOrderOf({ lastDecline, ...order }: DueOrder) {
  if (!lastDecline) return order
  const { code, card, at } = lastDecline
  return { ...order, decline: { reason: declineReason(code), ...(card && { card }), ...(at !== null && { at }) } }
}

function nextOf(listed: ListedSubscription): Pick<Subscription, 'nextPlan'> {
  const nextPlan = followingPlan(listed)
  if (!nextPlan) return {}
  const { when, from, otherwise } = nextPlan
  const shown = (plan: PlanAhead) => shownPlan(plan, listed.nextProducts)
  return {
    nextPlan: {
      when,
      ...(from !== undefined && { from }),
      ...shown(nextPlan),
      ...(otherwise && { otherwise: shown(otherwise) }),
    },
  }
}

/** @param names of products, by code */
function shownPlan(plan: PlanAhead, names: Readonly<Record<string, string>> | null) {
  const { productCode, term, userCount, storageCapacity, connectors, price, currency } = plan
  const costs = { ...(price !== null && { price }), ...(currency !== null && { currency }) }
  const size = { userCount, storageCapacity, esignConnectors: connectors }
  return { appName: names?.[productCode] ?? productCode, paidType: term ?? ('' as const), ...size, ...costs }
}

/** When it ends because it does not renew. */
function endOf({ currentStatus, autoRenew, cancelAt, periodEnd }: ListedSubscription): Date | null {
  if (hasEnded(currentStatus)) return null
  return cancelAt ?? (autoRenew ? null : periodEnd)
}

/** Where those who may manage it do so. */
function placeOf(listed: ListedSubscription, view: View): Subscription['manageBy'] {
  const { flags } = listed.product
  if (manageUrlOf(listed, view) !== '') return 'address'
  if (flags.includes('redactServer')) return view.hasRedactPortal ? 'portal' : 'none'
  if (flags.includes('storage')) return view.hasStorage ? 'storage' : 'none'
  return hasTeam({ ...listed.product, userCount: listed.userCount }) ? 'team' : 'none'
}

function manageUrlOf({ manageUrl, product }: ListedSubscription, { linkHosts }: View): string {
  return allowedLink(manageUrl === '' ? product.manageUrl : manageUrl, linkHosts)
}

function textOf(instant: Date | null): string {
  return instant?.toISOString() ?? ''
}
