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
  dueAt: null,
}

type Columns = { [Name in keyof typeof none]: Name extends 'dueAt' ? number | null : string | null }

/** The columns that lists and pages filter by. */
export function columnsOf(stored: Stored): Columns {
  const { object } = stored
  const customer = 'customer' in object ? idOf(object.customer) : null
  return { ...none, customer, ...ownColumns(stored) }
}

function ownColumns(stored: Stored): Partial<Columns> {
  switch (stored.kind) {
    case 'customer':
      return { email: stored.object.email }
    case 'event':
      return { eventType: stored.object.type }
    case 'charge':
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
    default:
      return {}
  }
}
