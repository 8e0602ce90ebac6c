import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { nextSyncNumber } from '../../../db/sync-numbers.queries.ts'
import type { Deps } from '../../../deps.ts'
import type { ChangeResult } from '../../../outside/card-provider/change-results.ts'
import type { ChangePreview } from '../../../outside/card-provider/plan-previews.ts'
import { noDecline, ProviderFailure } from '../../../outside/provider-failure.ts'
import type { Coupon } from '../../coupons/coupons.rules.ts'
import { findCoupon, lockCoupon } from '../../coupons/usable-coupon.ts'
import { declined } from '../../payments/declines.rules.ts'
import { type AnyDefinition, type Operation, operation } from '../../payments/operations/definition.ts'
import { isFresh } from '../../payments/operations/operations.rules.ts'
import { turnOffRenewal, turnOnRenewal } from '../auto-renewal/auto-renewal.operations.ts'
import { codes } from '../change-outcome.ts'
import { dropPlanned } from '../drop-planned.ts'
import { isRefusal } from '../moving/moving.rules.ts'
import { expectOnFile, isPaidByMember, memberCard } from '../paying-card.ts'
import { withoutDue } from '../projection.rules.ts'
import { applyReadingIn } from '../projection.writes.ts'
import { liveProjection } from '../projection-deps.ts'
import { afterChange, readCard, readingOfCard } from '../provider-readings.ts'
import type { Reading } from '../reading.ts'
import { subscriptionOfMember } from '../subscription-list.queries.ts'
import { accessNow } from '../subscriptions.rules.ts'
import { syncSubscription } from '../subscriptions.sync.ts'
import { emailChangeNotMade } from './change-not-made.email.ts'
import { couponUse } from './change-price.ts'
import { quotableChange } from './change-quotes.service.ts'
import { type AskedChange, type ChangeQuoteRow, changeQuotes } from './change-quotes.tables.ts'
import { cardBefore, giveUpChange, restoreCard, voiding } from './give-up-change.operations.ts'
import { withKeptTime } from './kept-payments.queries.ts'
import { givenUpProblem, lastMoment } from './open-change.rules.ts'
import { versionOf } from './plan-change.rules.ts'
import { isChangeAsShown } from './quote-amounts.rules.ts'
import { chargedOver } from './refund-difference.operations.ts'
import { Change, ChangeOutcome } from './stored-change.ts'

interface Asked {
  sid: string
  quoteId: string
  asked: AskedChange
  /** Empty: the card that pays now. */
  paymentMethodId: string
  /** As the customer saw it; undefined: not said. */
  discount: number | undefined
}

interface Facts {
  /** The member's quote for this subscription; undefined: there is none. */
  quote: ChangeQuoteRow | undefined
  preview: ChangePreview | undefined
  /** As it is now; undefined: none is used. */
  coupon: Coupon | undefined
  /** Whether what pays later, or by its credit, is the member's own if they choose no card. */
  isTheirs: boolean
}

/** What the provider answered, and the row that follows from it. */
interface Changed {
  result: ChangeResult
  reading: Reading
  /** It is given up: no card was declined. */
  givenUp?: ReturnType<typeof givenUpProblem>
}

/** Of two subscriptions, each would be charged as if the customer's credit were its own. */
export const spendingCredit = ['subscription.change', 'subscription.renew'] as const

/**
 * Changes what is subscribed to, and charges what its quote showed. The provider is asked again what it would charge, and
 * what it has; any difference is refused before the charge. A payment that does not succeed changes nothing.
 */
export const changePlan = operation({
  kind: 'subscription.change',
  provider: 'card',
  input: Change,
  codes,
  excludes: changesOfSubscription,
  excludesRunning: spendingCredit,
  subjectOf: ({ sid }: Asked) => sid,

  async read(deps, member, { sid, quoteId, paymentMethodId }: Asked): Promise<Facts> {
    const [quote] = await deps.db
      .select()
      .from(changeQuotes)
      .where(
        and(eq(changeQuotes.id, quoteId), eq(changeQuotes.memberId, member.id), eq(changeQuotes.subscriptionId, sid)),
      )
    if (!quote) return { quote, preview: undefined, coupon: undefined, isTheirs: false }
    const listed = await subscriptionOfMember(deps.db, member, { id: sid, access: accessNow(deps) })
    const paid = listed ?? { customerId: null }
    const isTheirs = await isPaidByMember(deps, member, paid)
    await expectOnFile(deps, member, { paid, paymentMethodId })
    const { items, prorationDate, paidBefore } = quote
    const discount = quote.discount ?? undefined
    const coupon = discount && (await findCoupon(deps, discount.couponCode))
    const change = { id: listed?.providerId ?? '', items, prorationDate, discount, paidBefore }
    try {
      const preview = await deps.cards.previewChange(change)
      // It is set as quoted, so that nothing may have been given or planned since: `versionOf` compares the row.
      await syncSubscription(deps, change.id)
      const card = await memberCard(deps, member, { paid, card: preview.card })
      return { quote, preview: { ...preview, card }, coupon, isTheirs }
    } catch (error) {
      // Its vendor has replaced the items, say: the quote is of another state.
      if (isRefusal(error)) return { quote, preview: undefined, coupon, isTheirs }
      throw error
    }
  },

  async decide(tx, { deps, member, asked, facts: { quote, preview, coupon, isTheirs } }) {
    const quotable = await quotableChange(tx, deps, member, { sid: asked.sid, asked: asked.asked })
    const { listed } = quotable
    // Begun at the provider a moment ago: the row does not show it yet.
    if (preview?.isChangeWaiting) throw new Problem(codes.excluded)
    if (!quote || !preview) throw new Problem('quote_changed')
    const { discount, prorationDate, paidBefore } = quote
    const unbilled = await withKeptTime(tx, { row: listed, items: preview.unbilled, prorationDate })
    if (!isChangeAsShown(quote, { ...preview, unbilled }, asked)) throw new Problem('quote_changed')
    if (quote.version !== versionOf(listed) || quote.validUntil <= deps.clock()) throw new Problem('quote_changed')
    // What is not charged now is with the next renewal.
    const isCharged = quote.shown.chargeAmount > 0 || !isTheirs
    if (asked.paymentMethodId === '' && preview.card === null && isCharged) throw new Problem('card_required')
    if (quote.shown.creditUsed > 0 && !isTheirs) throw new Problem('change_not_possible')
    if (discount) await lockCoupon(tx, deps, member, { coupon, ...couponUse(quotable, discount.couponCode) })
    const claimed = await tx
      .update(changeQuotes)
      .set({ operationId: quote.id })
      .where(and(eq(changeQuotes.id, quote.id), isNull(changeQuotes.operationId)))
      .returning({ id: changeQuotes.id })
    if (claimed.length === 0) throw new Problem('quote_changed')

    const providerId = listed.providerId ?? ''
    const isOther = asked.paymentMethodId !== '' && asked.paymentMethodId !== preview.card?.id
    const input = {
      ...{ providerId, quoteId: quote.id, items: [...quote.items], prorationDate, paidBefore: [...paidBefore] },
      ...{ chargeAmount: quote.shown.chargeAmount, ...(isOther && { paymentMethodId: asked.paymentMethodId }) },
      ownCard: preview.ownCard,
      scheduleId: listed.nextPlan ? preview.scheduleId : '',
      ...(discount && { discount, couponCode: coupon?.code }),
    }
    return { is: 'new', subject: asked.sid, input, objectId: providerId }
  },

  async call(deps, change): Promise<Changed> {
    const { id: operationId, input } = change
    // Nothing is charged yet.
    await dropPlanned(deps, change, { scheduleId: input.scheduleId, late: 'unavailable' })
    const { providerId: id, items, prorationDate, discount, paidBefore, paymentMethodId, ownCard } = input
    const card = { paymentMethodId, ownCard }
    const result = await deps.cards.changePlan({ id, items, prorationDate, discount, paidBefore, ...card, operationId })
    return { result, reading: await afterChange(readCard(deps, id, () => true)) }
  },

  async find(deps, change): Promise<Changed | undefined> {
    const { input, status } = change
    const made = await madeChange(deps, change)
    if (made) return made
    // The bank's question is gone: another change, or the provider's deadline, has ended it.
    if (status === 'requires_action') return givenUpChange(deps, change)
    // A request may still be about to charge the other card.
    if (!isFresh(change, deps.wallClock())) await restoreCard(deps.cards, cardBefore(input))
    return undefined
  },

  async apply(tx, change, { deps, found: { result, reading, givenUp } }) {
    const { state, invoiceId, clientSecret, expiresAt } = result
    const isMade = state !== 'declined'
    const notMade: Reading = {
      ...reading,
      projection: async (...asked) => withoutDue(await reading.projection(...asked)),
    }
    await applyReadingIn(tx, liveProjection(deps), isMade ? reading : notMade)
    const stored = { invoiceId, clientSecret }
    if (state === 'paid') {
      const next = chargedOver(deps, change, result)
      return { status: 'succeeded', result: { ...stored, clientSecret: '' }, next }
    }
    if (state === 'requires_action') {
      const givesUpAt = expiresAt && lastMoment(expiresAt, deps.clock())
      return { status: 'requires_action', result: stored, ...(givesUpAt && { givesUpAt }) }
    }
    if (givenUp) await emailChangeNotMade(deps, tx, change)
    return {
      ...(givenUp ? ({ status: 'canceled', problem: givenUp } as const) : declined(result)),
      result: { ...stored, clientSecret: '' },
      next: [voiding(change, invoiceId)],
    }
  },

  refuse(failure) {
    if (failure.kind === 'unavailable') return { status: 'failed', problem: codes.unavailable }
    if (failure.kind === 'refused') return declined(failure)
    return { status: 'failed', problem: 'change_not_possible' }
  },

  giveUp: givenUpChange,
})

type Made = Pick<Operation<Change>, 'id' | 'input' | 'result' | 'givesUpAt'>

/** Leaves nothing to pay: it counts as declined, unless it was paid meanwhile. */
async function givenUpChange(deps: Deps, change: Made): Promise<Changed> {
  const { input, result } = change
  const { invoiceId } = ChangeOutcome.parse(result)
  const { prorationDate } = input
  if (!(await deps.cards.giveUpChange({ invoiceId, prorationDate }))) return paidMeanwhile(deps, change)
  await restoreCard(deps.cards, cardBefore(input))
  const syncNumber = await nextSyncNumber(deps.db)
  const subscription = await deps.cards.readSubscription(input.providerId)
  const nothing = {
    invoiceId,
    charged: 0,
    currency: '',
    clientSecret: '',
    invoiceUrl: '',
    expiresAt: null,
    ...noDecline,
  }
  return {
    result: { ...nothing, state: 'declined', subscription },
    reading: await readingOfCard(deps, subscription, syncNumber),
    givenUp: givenUpProblem(change, deps.clock()),
  }
}

/** It was paid at the last moment: the change is made. @throws ProviderFailure `unknown` while the provider does not say so */
async function paidMeanwhile(deps: Deps, change: Made): Promise<Changed> {
  const made = await madeChange(deps, change)
  if (!made) throw new ProviderFailure('unknown', new Error('a paid change is not to be seen'))
  return made
}

/** A change as the provider has it; undefined if it was never made, or is given up. */
async function madeChange(deps: Deps, { id: operationId, input, result }: Made): Promise<Changed | undefined> {
  const { providerId: id, prorationDate } = input
  const { invoiceId } = ChangeOutcome.parse(result ?? {})
  const found = await deps.cards.readChange({ id, operationId, invoiceId, prorationDate })
  return found && { result: found, reading: await afterChange(readCard(deps, id, () => true)) }
}

/** They exclude each other: each decides from the subscription as it is. */
function changesOfSubscription(): readonly AnyDefinition[] {
  return [changePlan, turnOffRenewal, turnOnRenewal, giveUpChange]
}
