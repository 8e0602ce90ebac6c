import { daysBefore } from './dates.ts'
import type { FolioRecord } from './record.ts'
import { subscriptionRecords } from './subscriptions.ts'

type Subscription = Extract<FolioRecord, { type: 'subscription' }>

/** A subscription that one of the cast buys at a provider. */
export interface Purchase {
  /** Of its record. */
  name: string
  email: string
  provider: 'card' | 'paypal'
  at: Date
  /** Names of prices, as the take-over of the catalog calls them, and how many of each. */
  items: readonly { price: string; quantity: number }[]
  trialEnd: Date | undefined
  /** It is canceled at once, and ends with its first period. */
  isCanceled: boolean
  /** Until when the buyer is bound. */
  commitmentEnd: Date | undefined
  /** Name of the record that it is an add-on of. */
  parent: string | undefined
}

/**
 * What the cast has not paid, by the names of the records, the oldest first: an invoice beside the periods, for which the card on file is
 * declined, and seats that wait for the bank's confirmation.
 */
export const openPayments = [
  { name: 'kai-cloud', daysAgo: 2, is: 'invoice', text: 'Data migration', amount: 4900, currency: 'usd' },
  { name: 'kai-editor', daysAgo: 0, is: 'seats', quantity: 5 },
] as const

/** Oldest first. What is given, sold by invoice or paid in full for a term is billed by nobody. */
export function purchases(today: Date): Purchase[] {
  return [...subscriptionRecords(today)]
    .flatMap((record) => (record.type === 'subscription' ? (purchaseOf(record) ?? []) : []))
    .sort((one, other) => one.at.getTime() - other.at.getTime())
}

function purchaseOf(record: Subscription): Purchase | undefined {
  const { subscriptionId: name, email, term, currency, periodStart, trialEnd, parentId: parent } = record
  if (record.channel === 'invoice' || !term || !currency || term.startsWith('paid_')) return undefined
  const priceOf = (code: string) => `${code}-${term}-${currency}`.toLowerCase()
  const at = new Date(record.created ?? periodStart)
  const seats = { price: priceOf(record.productCode), quantity: record.storageCapacity || record.userCount }
  const connectors = record.connectors ? [{ price: priceOf('FCNSF'), quantity: record.connectors }] : []
  return {
    ...{ name, email, provider: record.channel === 'paypal' ? 'paypal' : 'card', at, parent },
    items: [seats, ...connectors],
    trialEnd: trialEnd ? new Date(trialEnd) : undefined,
    isCanceled: !record.autoRenewal,
    commitmentEnd: term === 'yearly_paid_monthly' ? daysBefore(at, -365, at.getUTCHours()) : undefined,
  }
}
