import type { Deps } from '../../deps.ts'
import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { addForeignProduct } from '../catalog/catalog.writes.ts'
import type { Owner } from '../payments/customers/customer-claims.queries.ts'
import { isProven } from '../payments/customers/link-proofs.rules.ts'
import { ownerOfPayer } from '../payments/customers/payers.queries.ts'
import { isAccepted } from '../payments/unmatched/unmatched.queries.ts'
import type { MovedFrom } from './moving/moving.queries.ts'
import { paypalStanding } from './ownership/purchase-standing.ts'
import { isKept } from './paypal-facts.rules.ts'
import { type FactsOfNow, paidFactsOf } from './paypal-facts.ts'
import { asMeasured, lessWords } from './paypal-measured.rules.ts'
import { paidTimeOf } from './paypal-paid.rules.ts'
import { isKnownPaypalStatus, isUnapproved, paypalProjectionOf } from './paypal-projection.rules.ts'
import { wasCollected } from './paypal-purpose.rules.ts'
import { termsOf } from './paypal-revised.rules.ts'
import { triedProduct } from './paypal-trials.rules.ts'
import {
  givenBackBeforeEnd,
  isAllGivenBack,
  isEndedAtPaypal,
  paidAndTakenBack,
  paidWaiting,
  paymentsSince,
  waitingPayments,
  waitingReason,
} from './paypal-waiting.rules.ts'
import type { ProjectionDeps } from './projection.writes.ts'
import type { Reading } from './reading.ts'
import { hasTriedAtPaypal, type MemberNow } from './subscriptions.queries.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

export interface PaypalNeeds extends ProjectionDeps {
  config: Pick<Deps['config'], 'SHOP_SIGNING_SECRET' | 'LATE_BILLING_DAYS' | 'PAST_DUE_DAYS'>
  paypal: Pick<Deps['paypal'], 'readSubscription' | 'subscriptions' | 'readSale'>
}

/** What storing a subscription of PayPal needs, to be read before the transaction. */
export async function paypalReading(
  deps: PaypalNeeds,
  given: PaypalSubscription,
  syncNumber: number,
): Promise<Reading> {
  const { db, clock, logger, config } = deps
  const { id: providerId, status } = given
  const owner = await ownerOfPayer(db, given, { secrets: config.SHOP_SIGNING_SECRET })
  const standing = await paypalStanding({ db, secrets: config.SHOP_SIGNING_SECRET, now: clock() }, given, owner)
  const paidFacts = await paidFactsOf(deps, given)
  if (paidFacts.isUnknownPlan) await addUnknownPlan(deps, given)
  if (!isKnownPaypalStatus(given)) {
    logger.error({ subscriptionId: providerId, status }, 'a state of subscriptions that is not known here')
  }
  return {
    ...{ providerId, channel: 'paypal', customerId: null, ...standing, syncNumber },
    isUnpaidStart: isUnpaidStart(given, paidFacts),
    withheld: (row) => withheldOf(given, { ...paidFacts, before: row, owner: standing.owner }),
    waitsBeside: (row) => waitingBeside(given, { ...paidFacts, before: row, owner: standing.owner }),
    unordered: () => unorderedOf(given, paidFacts),
    paid: paidAndTakenBack(given, paidFacts),
    paidSince: (moved) => transferredOf(given, { ...paidFacts, ...moved }),
    async projection(row, asked, member) {
      const isTurnedOff = asked?.kind === 'subscription.turn_off_renewal'
      const productCode = productOfTrial(paidFacts)
      const isFurther =
        productCode !== undefined && (await isFurtherTrial(member, row, { providerId, productCode, owner }))
      const more = { isTurnedOff, isFurther, lateBillingDays: config.LATE_BILLING_DAYS }
      return paypalProjectionOf(given, { ...paidFacts, ...more, before: row })
    },
  }
}

/** Of which product it is a trial: the one with which it began, or one that was paid after a revision. */
function productOfTrial({ trial, decided }: FactsOfNow): string | undefined {
  const paid = [...decided.values()].findLast(({ purpose }) => purpose === 'trial')
  return trial && trial.cycles.length > 0 ? trial.plan.productCode : paid?.plan?.productCode
}

/** One subscription can be the trial of one product: also one that is revised to another product's plan. */
async function isFurtherTrial(
  member: MemberNow,
  row: SubscriptionRow | undefined,
  { owner, ...asked }: { providerId: string; productCode: string; owner: Owner | undefined },
): Promise<boolean> {
  const tried = triedProduct(row)
  if (tried !== undefined) return tried !== asked.productCode
  const object = { provider: 'paypal', objectId: asked.providerId } as const
  const isSure =
    isProven(row?.proof ?? owner?.proof ?? 'vendor') ||
    (await isAccepted(member.tx, { ...object, memberId: member.memberId }))
  return hasTriedAtPaypal(member, { ...asked, isSure })
}

/**
 * Whether it was never paid, or what waited for the operator was given back and is not billed again: a new one is not stored. A state that
 * is not known here is shown as pending.
 */
function isUnpaidStart(given: PaypalSubscription, facts: FactsOfNow): boolean {
  const [first] = given.payments
  if (first && isAllGivenBack(given)) {
    return isEndedAtPaypal(given) && waitingReason(first, given, { ...facts, before: undefined }) !== undefined
  }
  if (given.payments.some(({ state }) => state !== 'unpaid')) return false
  const { cycle, trial, beginsAt, withholding } = paidTimeOf(given, { ...facts, before: undefined })
  const isBegun = cycle ?? trial ?? beginsAt ?? withholding
  return isUnapproved(given) || (isKnownPaypalStatus(given) && !isBegun)
}

interface WithheldFacts extends FactsOfNow {
  before: SubscriptionRow | undefined
  /** Whose it would be; undefined: nobody's. */
  owner: Owner | undefined
}

/**
 * What was paid and is not granted. A revision of what is stored is not billed yet: it waits once it was paid for. What was given back goes
 * on waiting until it is over at PayPal, which bills it again.
 */
function withheldOf(given: PaypalSubscription, { owner, ...facts }: WithheldFacts) {
  const { before, now: createdAt } = facts
  const { withholding, unused } = paidTimeOf(given, facts)
  const givenBack = givenBackBeforeEnd(given, facts)
  const isOpen = withholding !== undefined && (!before || unused !== undefined)
  const reason = isOpen ? withholding : givenBack?.reason
  if (!reason) return undefined
  const paid = isOpen ? waitingPayments(given, facts) : []
  const back = givenBack ? [givenBack.payment] : []
  const asked = { terms: termsOf(given).terms, lessThanPlan: lessWords(asMeasured(given, facts)) }
  const waiting = unmatchedOf(given, paid.length > 0 ? paid : back)
  return { ...waiting, ...laterOf(paid, facts), ...whoseOf({ before, owner }), reason, ...asked, createdAt }
}

/** What was collected after an acceptance was not accepted with it, as an eCheck that was held back then. */
function laterOf(paid: readonly PaypalPayment[], { decided, releasedAt }: FactsOfNow) {
  const isLater = (one: PaypalPayment) => releasedAt && one.at <= releasedAt && !wasCollected(one, decided, releasedAt)
  const later = paid.findLast(isLater)
  const since = later && decided.get(later.id)?.collectedAt
  return since ? { boughtAt: since } : {}
}

/** What has waited, and is not of what was granted since: that is on other terms, so that accepting it accepts none. */
function waitingBeside(given: PaypalSubscription, { owner, ...facts }: WithheldFacts) {
  const { before, now: createdAt, waiting } = facts
  const paid = waitingPayments(given, facts)
  const [first] = paid
  const reason = waiting ?? (first && waitingReason(first, given, facts))
  if (!reason || paid.length === 0) return undefined
  const payments = paid.map(({ at, amount }) => ({ at: at.toISOString(), amount }))
  const none = { terms: '', lessThanPlan: '' }
  const whose = whoseOf({ before, owner })
  return { ...unmatchedOf(given, paid), ...laterOf(paid, facts), payments, ...whose, reason, ...none, createdAt }
}

function whoseOf({ before, owner }: Pick<WithheldFacts, 'before' | 'owner'>) {
  const { memberId, proof } = before ?? owner ?? {}
  return { memberId, isProven: memberId !== undefined && isProven(proof ?? 'vendor') }
}

/** It is of the Owner before, who goes on paying, whatever is typed there: only what is proven is transferred. */
function transferredOf(given: PaypalSubscription, { movedAt, memberId, ...facts }: FactsOfNow & MovedFrom) {
  const paid = paymentsSince(given, { ...facts, movedAt })
  if (paid.length === 0) return undefined
  const whose = { memberId, isProven: memberId !== undefined }
  // What waited before that has no other line any more.
  const isWaiting = ({ id }: PaypalPayment) => facts.decided.get(id)?.purpose === 'waiting' && !facts.ordered?.has(id)
  const waits = given.payments.filter((one) => one.at <= movedAt && isKept(one, facts) && isWaiting(one))
  return { ...unmatchedOf(given, [...waits, ...paid]), ...whose, reason: 'transferred' as const, createdAt: facts.now }
}

/** What was paid and is no order, of what was an erased member's. */
export function unorderedOf(given: PaypalSubscription, { takenBack, decided, ordered, releasedAt, now }: FactsOfNow) {
  const isSettled = (one: PaypalPayment) => ordered?.has(one.id) || wasCollected(one, decided, releasedAt)
  const paid = given.payments.filter((one) => isKept(one, { takenBack }) && !isSettled(one))
  if (paid.length === 0) return undefined
  return { ...unmatchedOf(given, paid), reason: 'no_member' as const, createdAt: now }
}

/** @param waiting payments, oldest first */
function unmatchedOf({ id: objectId, payer, createdAt }: PaypalSubscription, waiting: readonly PaypalPayment[]) {
  const object = { provider: 'paypal', kind: 'subscription', objectId } as const
  return { ...object, email: payer.email, ...paidWaiting(waiting), boughtAt: waiting.at(-1)?.at ?? createdAt }
}

/** A plan that the catalog does not know is added under PayPal's name, and an error tells the vendor. */
async function addUnknownPlan(
  { db, reportUnknownPrice }: PaypalNeeds,
  { id, planId, productId, planName }: PaypalSubscription,
): Promise<void> {
  reportUnknownPrice({ subscriptionId: id, priceId: planId, productId })
  // A product of PayPal has plans of several of the vendor's.
  await db.transaction((tx) => addForeignProduct(tx, { id: planId, name: planName }))
}
