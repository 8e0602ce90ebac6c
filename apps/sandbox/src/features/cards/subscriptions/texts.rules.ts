import type Stripe from 'stripe'
import { moneyText } from '../wire/money.rules.ts'
import { everyOf } from './items.rules.ts'

/** `2 × Folio PDF Editor (at 10.00 USD / month)` */
export function periodText(item: Stripe.SubscriptionItem, product: string): string {
  const { interval, interval_count: count } = everyOf(item)
  const every = count === 1 ? interval : `every ${count} ${interval}s`
  return `${item.quantity ?? 1} × ${product} (at ${priceText(item.price)} / ${every})`
}

export function trialText(product: string): string {
  return `Trial period for ${product}`
}

export function creditText(product: string, quantity: number, from: number): string {
  return `Unused time on ${counted(product, quantity)} after ${dayText(from)}`
}

export function remainderText(product: string, quantity: number, from: number): string {
  return `Remaining time on ${counted(product, quantity)} after ${dayText(from)}`
}

function counted(product: string, quantity: number): string {
  return quantity === 1 ? product : `${quantity} × ${product}`
}

function priceText({ unit_amount, currency }: Stripe.Price): string {
  return moneyText(unit_amount ?? 0, currency)
}

/** `15 Nov 2026`, in UTC. */
export function dayText(moment: number): string {
  const parts = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  return new Date(moment * 1000).toLocaleDateString('en-GB', parts)
}
