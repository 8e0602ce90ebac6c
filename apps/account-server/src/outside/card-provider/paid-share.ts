import type Stripe from 'stripe'
import { z } from 'zod'
import { callProvider } from './failure.ts'
import { wholeList } from './lists.ts'
import { continues } from './moved-subscriptions.ts'
import { paidFromIn, paidFromMetadata, termStart } from './paid-term.ts'

/** All of it. */
export const wholeShare = 1_000_000

/** By price at the provider, in millionths; of a price that is not named, all was paid. */
type PaidShares = ReadonlyMap<string, number>

/** The metadata with which a subscription says what share of each price the Owner before has paid until the first charge, as JSON. */
const mark = 'paidMillionths'

/** Of what was free. */
export const nothingPaid: Readonly<Record<string, string>> = { [mark]: '0' }

/** What the provider stores for a key. */
const longestMetadata = 500

const Share = z.number().min(0).max(wholeShare)
/** An earlier version wrote one for all prices. The vendor can edit it. */
const Stored = z.union([Share, z.record(z.string(), Share)]).catch(wholeShare)

export function paidShareIn({ [mark]: text }: Stripe.Metadata, priceId: string): number {
  const stored = Stored.parse(jsonOf(text))
  return typeof stored === 'number' ? stored : (stored[priceId] ?? wholeShare)
}

function paidShareMetadata(shares: PaidShares): Readonly<Record<string, string>> {
  const partly = [...shares].filter(([, share]) => share < wholeShare)
  if (partly.length === 0) return {}
  const text = JSON.stringify(Object.fromEntries(partly))
  // Rather too little than what nobody has paid.
  return { [mark]: text.length <= longestMetadata ? text : String(Math.min(...partly.map(([, share]) => share))) }
}

export function paidShareCalls(stripe: Stripe) {
  return {
    /**
     * What the one that continues it says about what was paid for its period: what share of its prices, less than all after a discount and
     * nothing of what was free, and since when.
     */
    async paidMetadata(id: string): Promise<Readonly<Record<string, string>>> {
      const subscription = await callProvider(() => stripe.subscriptions.retrieve(id))
      const { items, metadata } = subscription
      const paid = await wholeList((page) => stripe.invoices.list({ subscription: id, status: 'paid', ...page }))
      const lines = paid.flatMap((invoice) => invoice.lines.data)
      const isContinued = metadata[continues] !== undefined
      const begins = paidFromIn(metadata)
      const shares = new Map(
        items.data.map((item) => {
          const priceId = item.price.id
          const share = shareOfItem(item, { lines, begins }) ?? (isContinued ? paidShareIn(metadata, priceId) : 0)
          return [priceId, Math.min(wholeShare, Math.round(share))]
        }),
      )
      return { ...paidShareMetadata(shares), ...paidFromMetadata(subscription) }
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

interface Charged {
  /** Newest first. */
  lines: readonly Stripe.InvoiceLineItem[]
  /** Epoch seconds at which the term may have begun before it was continued. */
  begins: readonly number[]
}

/**
 * More of the same is charged as all of it, so that the newest charge is for what there is now.
 * @returns undefined if no line charges it
 */
function shareOfItem(item: Stripe.SubscriptionItem, { lines, begins }: Charged): number | undefined {
  const { id, current_period_end: end, current_period_start: start, quantity = 1 } = item
  const price = (item.price.unit_amount ?? 0) * quantity
  const charge = lines.find(
    ({ amount, parent, period }) =>
      amount > 0 && period.end === end && parent?.subscription_item_details?.subscription_item === id,
  )
  if (!charge || price === 0) return undefined
  const net = (charge.discount_amounts ?? []).reduce((rest, { amount }) => rest - amount, charge.amount)
  const begin = termStart({ price: item.price, end, begins: [start, ...begins] })
  const part = Math.min(1, (end - charge.period.start) / (end - begin))
  // It was rounded.
  return net + 1 >= price * part ? wholeShare : (wholeShare * net) / (price * part)
}
