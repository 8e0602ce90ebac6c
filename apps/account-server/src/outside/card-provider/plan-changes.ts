import type Stripe from 'stripe'
import { ProviderFailure } from '../provider-failure.ts'
import { type AddedLines, addedParams } from './added-lines.ts'
import { type ChangeResult, changeResultCalls, type MadeChange, secondsOf } from './change-results.ts'
import { callProvider } from './failure.ts'
import { isPayable } from './open-invoices.ts'
import { payingCardCalls } from './paying-cards.ts'
import { expand, operationMark } from './subscriptions.ts'
import { sweptItemCalls } from './swept-items.ts'

/** An item as it is to be: an existing one by its id, or a new one. */
export interface ItemChange {
  id?: string | undefined
  priceId: string
  quantity: number
}

export interface PlanChange extends AddedLines {
  /** Of the subscription. */
  id: string
  items: readonly ItemChange[]
  /** Up to when the old is charged, and from when the new; whole seconds. */
  prorationDate: Date
}

interface GivenUpChange {
  invoiceId: string
  /** Of the change; undefined: not known, since it was begun at the provider. */
  prorationDate: Date | undefined
}

interface CommittedChange extends PlanChange {
  /** Charged instead of the one that pays now, and from now on; undefined: as it is. */
  paymentMethodId: string | undefined
  /** The subscription's own card before; empty: none. */
  ownCard: string
  operationId: string
}

/** Changes of what is subscribed to, at the card provider. */
export function planChangeCalls(stripe: Stripe) {
  const { payBy, restoreCard } = payingCardCalls(stripe)
  const { invoiceOfMade, resultOf } = changeResultCalls(stripe)
  const { waitAgain } = sweptItemCalls(stripe)

  return {
    /**
     * Makes a change: it is charged at once, to the cent as previewed for the same moment. A payment that does not succeed leaves the
     * subscription as it was, with an open invoice.
     */
    async changePlan({
      id,
      items,
      prorationDate,
      paymentMethodId: card,
      ownCard,
      operationId,
      ...added
    }: CommittedChange): Promise<ChangeResult> {
      if (card !== undefined) await payBy(id, card)
      const asked: Stripe.SubscriptionUpdateParams = {
        items: items.map(itemParams),
        ...addedParams(added),
        proration_behavior: 'always_invoice',
        proration_date: secondsOf(prorationDate),
        payment_behavior: 'pending_if_incomplete',
        metadata: { [operationMark]: operationId },
        expand,
      }
      const update = () => stripe.subscriptions.update(id, asked, { idempotencyKey: operationId })
      const changed = await callProvider(update).catch(async (failure: unknown) => {
        // Nothing was changed: neither is the card that pays.
        const isKnown = failure instanceof ProviderFailure && failure.kind !== 'unknown'
        if (isKnown && card !== undefined) await restoreCard({ subscription: id, from: card, to: ownCard })
        throw failure
      })
      return resultOf(expectMade(operationId, changed), changed.latest_invoice, operationId).catch(unknownAfterChange)
    },

    /** What became of a change; undefined if it was never made, or is given up. */
    async readChange({ id, operationId, ...made }: MadeChange): Promise<ChangeResult | undefined> {
      const found = await callProvider(() => stripe.subscriptions.retrieve(id, { expand }))
      const isDone = found.metadata[operationMark] === operationId
      const isWaiting = found.pending_update?.metadata?.[operationMark] === operationId
      return isDone || isWaiting ? resultOf(found, await invoiceOfMade({ id, ...made }), operationId) : undefined
    },

    /**
     * Gives up what waits for the customer: the subscription stays as it was, and what was to be charged or credited with its next
     * invoice before the change still is. The provider may have let it expire already.
     * @returns whether it is given up; not if it was paid meanwhile
     */
    async giveUpChange({ invoiceId, prorationDate }: GivenUpChange): Promise<boolean> {
      const found = await callProvider(() => stripe.invoices.retrieve(invoiceId))
      const isOpen = isPayable(found.status)
      if (isOpen) await callProvider(() => stripe.invoices.voidInvoice(invoiceId))
      if (isOpen || found.status === 'void') await waitAgain(found, prorationDate)
      return found.status !== 'paid'
    },
  }
}

/** @throws ProviderFailure `unknown` if the subscription shows neither the change nor that it waits for its payment */
function expectMade(operationId: string, changed: Stripe.Subscription): Stripe.Subscription {
  if (changed.pending_update !== null || changed.metadata[operationMark] === operationId) return changed
  throw new ProviderFailure('unknown', new Error('the provider has not made the change'))
}

/** The provider has made the change: what fails now does not mean that nothing was done. */
function unknownAfterChange(error: unknown): never {
  throw error instanceof ProviderFailure ? new ProviderFailure('unknown', error) : error
}

export function itemParams({ id, priceId: price, quantity }: ItemChange) {
  return { ...(id !== undefined && { id }), price, quantity }
}
