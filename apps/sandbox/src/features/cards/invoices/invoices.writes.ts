import type Stripe from 'stripe'
import { lockedCustomer, setDelinquent } from '../customers/customers.writes.ts'
import { emitChange, emitEvent } from '../events/events.writes.ts'
import { leastCharge, refuseUnchargeable } from '../payment-intents/amounts.rules.ts'
import type { Call } from '../requests/call.ts'
import { find, findLocked, save } from '../store/store.ts'
import { idOf, type StoredOf } from '../store/stored.ts'
import { taxationOf } from '../tax/tax.rules.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'
import { recalculated } from './draft.ts'
import type { InvoiceParts } from './invoice.rules.ts'
import { cancelPayments, createPaymentOf } from './invoice-payments.writes.ts'
import { settled } from './totals.rules.ts'

export type StoredInvoice = StoredOf<'invoice'>

/** An hour passes before a draft is finalized and collected automatically. */
const draftSeconds = 3600

/** What a draft says of its collection. @param now epoch seconds */
export function automaticCollection(isCollected: boolean, now: number) {
  const at = isCollected ? now + draftSeconds : null
  return { auto_advance: isCollected, automatically_finalizes_at: at, next_payment_attempt: at }
}

/** Stores a new draft and its event. */
export async function saveDraft(call: Call, { object, hidden }: InvoiceParts): Promise<StoredInvoice> {
  const stored: StoredInvoice = { kind: 'invoice', object, hidden }
  await save(call.tx, stored)
  await emitEvent(call, { type: 'invoice.created', object })
  return stored
}

/**
 * Locks an invoice, after its customer: everything of billing takes locks in this order.
 * @throws Refusal if it does not exist
 */
export async function lockedInvoice(call: Call, id: string): Promise<StoredInvoice> {
  const seen = await find(call.tx, 'invoice', id)
  if (!seen) throw noSuch('invoice', id, { param: 'invoice', status: 404 })
  await lockedCustomer(call.tx, idOf(seen.object.customer) ?? '')
  const found = await findLocked(call.tx, 'invoice', id)
  if (!found) throw noSuch('invoice', id, { param: 'invoice', status: 404 })
  return found
}

/** Saves a changed invoice, with its event if anything changed. */
export async function saveInvoice(call: Call, before: StoredInvoice, after: StoredInvoice): Promise<StoredInvoice> {
  await save(call.tx, after)
  await emitChange(call, 'invoice.updated', { before: before.object, after: after.object })
  return after
}

/**
 * Finalizes a draft: it gets its number, is set off against the customer's balance, and asks for payment. With nothing to
 * pay it is paid at once.
 */
export async function finalizeInvoice(call: Call, draft: StoredInvoice): Promise<StoredInvoice> {
  if (draft.object.status !== 'draft') {
    throw invalidRequest("This invoice is already finalized, you can't re-finalize a non-draft invoice.", {
      code: 'invoice_not_editable',
    })
  }
  const customer = await lockedCustomer(call.tx, idOf(draft.object.customer) ?? '')
  refuseMissingLocation(draft.object, customer)
  const fresh = await recalculated(call, draft, {
    customer,
    lines: draft.hidden.lines,
    discounts: draft.object.discounts,
  })
  const { due, endingBalance } = settled(fresh.object.total, customer.balance, leastCharge(fresh.object.currency))
  if (due > 0) refuseUnchargeable(due, fresh.object.currency)
  const number = await takeNumber(call, customer, { endingBalance, currency: fresh.object.currency })
  const now = epochSeconds(call.now)
  const page = `${call.publicUrl}/cards/invoices/${fresh.hidden.token}`
  const opened: StoredInvoice = {
    kind: 'invoice',
    hidden: fresh.hidden,
    object: {
      ...fresh.object,
      amount_due: due,
      amount_remaining: due,
      automatically_finalizes_at: null,
      effective_at: now,
      ending_balance: endingBalance,
      hosted_invoice_url: page,
      invoice_pdf: `${page}/pdf`,
      next_payment_attempt: null,
      number,
      status: 'open',
      status_transitions: { ...fresh.object.status_transitions, finalized_at: now },
    },
  }
  await save(call.tx, opened)
  await emitEvent(call, { type: 'invoice.finalized', object: opened.object })
  if (due > 0) {
    await createPaymentOf(call, opened.object)
    return opened
  }
  return markPaid(call, opened, 0)
}

/** @throws Refusal if the tax depends on an address that is missing */
function refuseMissingLocation({ automatic_tax }: Stripe.Invoice, customer: Stripe.Customer): void {
  if (automatic_tax.enabled && !taxationOf(customer)) throw missingLocation()
}

export function missingLocation() {
  return invalidRequest(
    "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
    { code: 'customer_tax_location_invalid', param: 'automatic_tax' },
  )
}

interface Finalized {
  endingBalance: number
  currency: string
}

/** Takes the customer's next invoice number, and stores the balance that the invoice leaves. */
async function takeNumber(
  call: Call,
  customer: Stripe.Customer,
  { endingBalance, currency }: Finalized,
): Promise<string> {
  const sequence = customer.next_invoice_sequence ?? 1
  const object: Stripe.Customer = {
    ...customer,
    balance: endingBalance,
    currency: customer.currency ?? currency,
    next_invoice_sequence: sequence + 1,
  }
  await save(call.tx, { kind: 'customer', object, hidden: null })
  await emitChange(call, 'customer.updated', { before: customer, after: object })
  return `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`
}

/** Stores that an invoice was paid, with the events in the provider's order. @param amount in minor units */
export async function markPaid(call: Call, open: StoredInvoice, amount: number): Promise<StoredInvoice> {
  const object: Stripe.Invoice = {
    ...open.object,
    amount_paid: amount,
    amount_remaining: 0,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...open.object.status_transitions, paid_at: epochSeconds(call.now) },
  }
  const paid = await saveInvoice(call, open, { ...open, object })
  await setDelinquent(call, idOf(object.customer) ?? '', false)
  await emitEvent(call, { type: 'invoice.paid', object })
  await emitEvent(call, { type: 'invoice.payment_succeeded', object })
  return paid
}

/** Voids an open or uncollectible invoice, and gives back what it took from the customer's balance. */
export async function voidInvoice(call: Call, open: StoredInvoice): Promise<StoredInvoice> {
  if (open.object.status !== 'open' && open.object.status !== 'uncollectible') throw wrongStatus(open.object, 'void')
  await cancelPayments(call, open.object.id)
  await returnBalance(call, open.object)
  const object: Stripe.Invoice = {
    ...open.object,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'void',
    status_transitions: { ...open.object.status_transitions, voided_at: epochSeconds(call.now) },
  }
  const voided: StoredInvoice = { ...open, object }
  await save(call.tx, voided)
  await emitEvent(call, { type: 'invoice.voided', object })
  return voided
}

async function returnBalance(call: Call, { customer: id, starting_balance, ending_balance }: Stripe.Invoice) {
  const taken = (ending_balance ?? starting_balance) - starting_balance
  if (taken === 0) return
  const customer = await lockedCustomer(call.tx, idOf(id) ?? '')
  const object: Stripe.Customer = { ...customer, balance: customer.balance - taken }
  await save(call.tx, { kind: 'customer', object, hidden: null })
  await emitChange(call, 'customer.updated', { before: customer, after: object })
}

/** The vendor gives up: nothing is collected any more, but it can still be paid. */
export async function markUncollectible(call: Call, open: StoredInvoice): Promise<StoredInvoice> {
  if (open.object.status !== 'open') throw wrongStatus(open.object, 'mark as uncollectible')
  const object: Stripe.Invoice = {
    ...open.object,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'uncollectible',
    status_transitions: { ...open.object.status_transitions, marked_uncollectible_at: epochSeconds(call.now) },
  }
  const marked: StoredInvoice = { ...open, object }
  await save(call.tx, marked)
  await emitEvent(call, { type: 'invoice.marked_uncollectible', object })
  return marked
}

/** Recalculates a draft after its lines changed. */
export async function recalculateDraft(call: Call, draft: StoredInvoice): Promise<StoredInvoice> {
  const customer = await lockedCustomer(call.tx, idOf(draft.object.customer) ?? '')
  const { lines } = draft.hidden
  const fresh = await recalculated(call, draft, { customer, lines, discounts: draft.object.discounts })
  return saveInvoice(call, draft, { kind: 'invoice', ...fresh })
}

function wrongStatus({ status }: Stripe.Invoice, verb: string) {
  return invalidRequest(`You can only ${verb} an open invoice. This invoice has a status of ${status}.`, {
    code: 'status_transition_invalid',
  })
}
