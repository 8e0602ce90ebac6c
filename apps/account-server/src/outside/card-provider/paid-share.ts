import type Stripe from 'stripe'
import { monthsLater } from '../../db/calendar.rules.ts'
import { callProvider } from './failure.ts'
import { wholeList } from './lists.ts'
import { dateOf } from './open-invoices.ts'

/** All of it. */
export const wholeShare = 1_000_000

/** The metadata with which a subscription says what share of its price the Owner before has paid until the first charge; left out: all. */
const mark = 'paidMillionths'

export function paidShareIn({ [mark]: text }: Stripe.Metadata): number {
  const share = Number(text)
  // The vendor can edit it.
  return share >= 0 && share <= wholeShare ? share : wholeShare
}

export function paidShareMetadata(share: number): Readonly<Record<string, string>> {
  return share === wholeShare ? {} : { [mark]: String(share) }
}

export function paidShareCalls(stripe: Stripe) {
  return {
    /** What share of its price was paid for the period of a subscription, in millionths: less than all of it after a discount. */
    async paidShare(id: string): Promise<number> {
      const { items, metadata } = await callProvider(() => stripe.subscriptions.retrieve(id))
      const paid = await wholeList((page) => stripe.invoices.list({ subscription: id, status: 'paid', ...page }))
      const lines = paid.flatMap((invoice) => invoice.lines.data)
      return shareOf(items.data, { lines, otherwise: paidShareIn(metadata) })
    },
  }
}

interface Paid {
  /** Newest first. */
  lines: readonly Stripe.InvoiceLineItem[]
  /** Of what no line charges: it was paid before, or was free. */
  otherwise: number
}

function shareOf(items: readonly Stripe.SubscriptionItem[], paid: Paid): number {
  const prices = items.map((item) => ({ item, price: (item.price.unit_amount ?? 0) * (item.quantity ?? 1) }))
  const all = prices.reduce((sum, { price }) => sum + price, 0)
  if (all === 0) return wholeShare
  const share = prices.reduce((sum, { item, price }) => sum + (price / all) * shareOfItem({ item, price }, paid), 0)
  return Math.min(wholeShare, Math.round(share))
}

/** More of the same is charged as all of it, so that the newest charge is for what there is now. */
function shareOfItem(
  { item, price }: { item: Stripe.SubscriptionItem; price: number },
  { lines, otherwise }: Paid,
): number {
  const { id, current_period_end: end } = item
  const charge = lines.find(
    ({ amount, parent, period }) =>
      amount > 0 && period.end === end && parent?.subscription_item_details?.subscription_item === id,
  )
  if (!charge || price === 0) return otherwise
  const net = (charge.discount_amounts ?? []).reduce((rest, { amount }) => rest - amount, charge.amount)
  const begin = termStart(item.price, end)
  const part = Math.min(1, (end - charge.period.start) / (end - begin))
  // It was rounded.
  return net + 1 >= price * part ? wholeShare : (wholeShare * net) / (price * part)
}

function termStart({ recurring }: Stripe.Price, end: number): number {
  const { interval, interval_count: count = 1 } = recurring ?? {}
  const months = interval === 'year' ? 12 * count : count
  return monthsLater(dateOf(end), -months).getTime() / 1000
}
