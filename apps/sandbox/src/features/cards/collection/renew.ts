import type Stripe from 'stripe'
import { customer } from '../customers/customers.writes.ts'
import { emitEvent } from '../events/events.writes.ts'
import { automaticCollection } from '../invoices/invoices.writes.ts'
import { previewInvoice } from '../invoicing/preview.ts'
import type { Call } from '../requests/call.ts'
import { nextPeriodEnd } from '../store/due.rules.ts'
import { pendingOfSubscription } from '../store/invoices.queries.ts'
import { save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { billOf, debitsWith, saveBill } from '../subscriptions/bill.ts'
import { endSubscription } from '../subscriptions/cancel.ts'
import { consumeOnce, usedBy } from '../subscriptions/consume-once.ts'
import { type StoredSubscription, saveSubscription } from '../subscriptions/invoice-outcome.ts'
import { nextPeriods } from '../subscriptions/next-periods.rules.ts'
import { pauseSubscription } from '../subscriptions/pause.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { Refusal } from '../wire/refusal.ts'

/** Starts the next period, with a draft that is finalized an hour later. An unpaid subscription's stays a draft. */
export async function renew(call: Call, stored: StoredSubscription): Promise<void> {
  const { items, renewed } = nextPeriods(stored.object)
  await startPeriod(call, stored, { renewed, change: { items: { ...stored.object.items, data: items } } })
}

interface Start {
  renewed: readonly Stripe.SubscriptionItem[]
  change: Partial<Stripe.Subscription>
}

async function startPeriod(call: Call, stored: StoredSubscription, { renewed, change }: Start): Promise<void> {
  const now = epochSeconds(call.now)
  const object = { ...stored.object, ...change }
  const invoiceItems = await pendingOfSubscription(call.tx, object.id)
  const bill = await billOf(call, {
    subscription: object,
    customer: await customer(call.tx, idOf(object.customer) ?? ''),
    reason: 'subscription_cycle',
    items: renewed,
    invoiceItems,
  })
  const previous = stored.object.items.data.map(({ current_period_start: start }) => start)
  const draft = await saveBill(
    call,
    {
      ...bill,
      object: {
        ...bill.object,
        ...automaticCollection(object.status !== 'unpaid', now),
        period_start: Math.min(...previous),
      },
    },
    invoiceItems,
  )
  const running = stored.hidden.debits.filter(({ end }) => end > now)
  await saveSubscription(call, stored, {
    ...stored,
    object: { ...object, latest_invoice: draft.object.id },
    hidden: { ...stored.hidden, debits: debitsWith(running, bill) },
  })
  await consumeOnce(call, object.id, usedBy(bill.object))
}

/** Tells ahead what the next invoice will contain. */
export async function announceRenewal(call: Call, stored: StoredSubscription): Promise<void> {
  const announcedRenewal = nextPeriodEnd(stored.object)
  await save(call.tx, { ...stored, hidden: { ...stored.hidden, announcedRenewal } })
  const preview = await upcoming(call, stored.object.id)
  if (preview) await emitEvent(call, { type: 'invoice.upcoming', object: preview })
}

/** @returns `undefined` if nothing can be previewed, which must not stop the clock */
async function upcoming(call: Call, subscription: string): Promise<Stripe.Invoice | undefined> {
  try {
    return await previewInvoice(call, { subscription })
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

export async function announceTrialEnd(call: Call, stored: StoredSubscription): Promise<void> {
  const announcedTrialEnd = stored.object.trial_end
  await save(call.tx, { ...stored, hidden: { ...stored.hidden, announcedTrialEnd } })
  await emitEvent(call, { type: 'customer.subscription.trial_will_end', object: stored.object })
}

/** The first paid period starts, unless there is no card and the subscription says what happens then. */
export async function endTrial(call: Call, stored: StoredSubscription): Promise<void> {
  const { object } = stored
  const behavior = object.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice'
  const holder = await customer(call.tx, idOf(object.customer) ?? '')
  const method = idOf(object.default_payment_method) ?? idOf(holder.invoice_settings.default_payment_method)
  if (method === null && behavior === 'cancel') return cancelAfterTrial(call, stored)
  if (method === null && behavior === 'pause') {
    return pauseSubscription(call, stored, 'trial_end_without_payment_method')
  }

  const anchored = { ...object, billing_cycle_anchor: object.trial_end ?? object.billing_cycle_anchor }
  const { items, renewed } = nextPeriods(anchored)
  await startPeriod(call, stored, {
    renewed,
    change: {
      billing_cycle_anchor: anchored.billing_cycle_anchor,
      items: { ...object.items, data: items },
      status: 'active',
    },
  })
}

async function cancelAfterTrial(call: Call, stored: StoredSubscription): Promise<void> {
  await endSubscription(call, stored, { at: stored.object.trial_end ?? epochSeconds(call.now) })
}
