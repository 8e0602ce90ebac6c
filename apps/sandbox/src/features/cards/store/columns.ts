import { dueAtOf } from './due.rules.ts'
import { idOf, type Stored } from './stored.ts'

const none = {
  customer: null,
  email: null,
  paymentMethod: null,
  intent: null,
  eventType: null,
  challengeToken: null,
  lookupKey: null,
  product: null,
  subscription: null,
  invoice: null,
  status: null,
}

type Columns = { [Name in keyof typeof none]: string | null }

/** The columns that lists, pages and the clock filter by. */
export function columnsOf(stored: Stored) {
  const { object } = stored
  const customer = 'customer' in object ? idOf(object.customer) : null
  return { ...none, customer, created: createdOf(stored), dueAt: dueAtOf(stored), ...ownColumns(stored) }
}

/** Epoch seconds. */
function createdOf({ object }: Stored): number {
  if (object.object === 'discount') return object.start
  return object.object === 'invoiceitem' ? object.date : object.created
}

function ownColumns(stored: Stored): Partial<Columns> {
  switch (stored.kind) {
    case 'customer':
      return { email: stored.object.email }
    case 'event':
      return { eventType: stored.object.type }
    case 'charge':
    case 'refund':
      return { intent: idOf(stored.object.payment_intent) }
    case 'setup_attempt':
      return { intent: idOf(stored.object.setup_intent) }
    case 'setup_intent':
    case 'payment_intent':
      return {
        paymentMethod: idOf(stored.object.payment_method),
        challengeToken: stored.hidden.challenge?.token ?? null,
      }
    default:
      return billingColumns(stored)
  }
}

function billingColumns(stored: Stored): Partial<Columns> {
  switch (stored.kind) {
    case 'price':
      return { lookupKey: stored.object.lookup_key, product: idOf(stored.object.product) }
    case 'subscription':
      return { status: stored.object.status }
    case 'invoice':
      return { status: stored.object.status, subscription: subscriptionOf(stored.object.parent) }
    case 'invoiceitem':
      return { subscription: subscriptionOf(stored.object.parent), invoice: idOf(stored.object.invoice) }
    case 'invoice_payment':
      return {
        status: stored.object.status,
        invoice: idOf(stored.object.invoice),
        intent: idOf(stored.object.payment.payment_intent),
      }
    default:
      return {}
  }
}

interface Parent {
  subscription_details: { subscription: string | { id: string } } | null
}

function subscriptionOf(parent: Parent | null): string | null {
  return idOf(parent?.subscription_details?.subscription)
}
