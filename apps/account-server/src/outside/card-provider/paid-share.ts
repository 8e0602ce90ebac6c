import type Stripe from 'stripe'
import { z } from 'zod'
import { monthsLater } from '../../db/calendar.rules.ts'
import { callProvider } from './failure.ts'
import { wholeList } from './lists.ts'
import { continues } from './moved-subscriptions.ts'
import { dateOf } from './open-invoices.ts'

/** All of it. */
export const wholeShare = 1_000_000

/** By price at the provider, in millionths; of a price that is not named, all was paid. */
type PaidShares = ReadonlyMap<string, number>

/** The metadata with which a subscription says what share of each price the Owner before has paid until the first charge, as JSON. */
const mark = 'paidMillionths'

/** What the provider stores for a key. */
const longestMetadata = 500

const Share = z.number().min(0).max(wholeShare)
/** An earlier version wrote one for all prices. The vendor can edit it. */
const Stored = z.union([Share, z.record(z.string(), Share)]).catch(wholeShare)

export function paidShareIn({ [mark]: text }: Stripe.Metadata, priceId: string): number {
  const stored = Stored.parse(jsonOf(text))
  return typeof stored === 'number' ? stored : (stored[priceId] ?? wholeShare)
}

export function paidShareMetadata(shares: PaidShares): Readonly<Record<string, string>> {
  const partly = [...shares].filter(([, share]) => share < wholeShare)
  if (partly.length === 0) return {}
  const text = JSON.stringify(Object.fromEntries(partly))
  // Rather too little than what nobody has paid.
  return { [mark]: text.length <= longestMetadata ? text : String(Math.min(...partly.map(([, share]) => share))) }
}

export function paidShareCalls(stripe: Stripe) {
  return {
    /** What share of its prices was paid for the period of a subscription: less than all after a discount, nothing of what was free. */
    async paidShares(id: string): Promise<PaidShares> {
      const { items, metadata } = await callProvider(() => stripe.subscriptions.retrieve(id))
      const paid = await wholeList((page) => stripe.invoices.list({ subscription: id, status: 'paid', ...page }))
      const lines = paid.flatMap((invoice) => invoice.lines.data)
      const isContinued = metadata[continues] !== undefined
      return new Map(
        items.data.map((item) => {
          const priceId = item.price.id
          const share = shareOfItem(item, lines) ?? (isContinued ? paidShareIn(metadata, priceId) : 0)
          return [priceId, Math.min(wholeShare, Math.round(share))]
        }),
      )
    },
  }
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * More of the same is charged as all of it, so that the newest charge is for what there is now.
 * @param lines newest first
 * @returns undefined if no line charges it
 */
function shareOfItem(item: Stripe.SubscriptionItem, lines: readonly Stripe.InvoiceLineItem[]): number | undefined {
  const { id, current_period_end: end, quantity = 1 } = item
  const price = (item.price.unit_amount ?? 0) * quantity
  const charge = lines.find(
    ({ amount, parent, period }) =>
      amount > 0 && period.end === end && parent?.subscription_item_details?.subscription_item === id,
  )
  if (!charge || price === 0) return undefined
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
