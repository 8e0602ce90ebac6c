import { z } from 'zod'
import type { CallPaypal } from './client.ts'
import { Money, minorUnits } from './money.rules.ts'

const Instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

const Transactions = z.object({
  transactions: z
    .array(
      z.object({
        id: z.string(),
        status: z.string(),
        time: Instant,
        amount_with_breakdown: z.object({ gross_amount: Money, tax_amount: Money.optional() }),
      }),
    )
    .default([]),
})

/** A payment of a subscription, as the subscription's own list has it. */
export interface PaypalPayment {
  /** The id of its sale. */
  id: string
  at: Date
  /** Minor units, tax included. */
  amount: number
  /** Minor units; null: PayPal does not say. */
  tax: number | null
  currency: string
  /** `unpaid`: PayPal holds it back, or it failed. */
  state: 'paid' | 'given_back' | 'unpaid'
}

/** How much of a payment was given back in part is not in the list. */
const states: ReadonlyMap<string, PaypalPayment['state']> = new Map([
  ['COMPLETED', 'paid'],
  ['PARTIALLY_REFUNDED', 'paid'],
  ['REFUNDED', 'given_back'],
  ['REVERSED', 'given_back'],
])

/** A day more, since clocks differ. */
const dayMs = 86_400_000

interface Period {
  /** When it was created. */
  since: Date
  /** The last that it names; null: none. */
  lastAt: Date | null
}

/** All payments of a subscription, oldest first. */
export async function paymentsOf(call: CallPaypal, id: string, { since, lastAt }: Period): Promise<PaypalPayment[]> {
  const until = Math.max(Date.now(), lastAt?.getTime() ?? 0) + dayMs
  const query = { start_time: since.toISOString(), end_time: new Date(until).toISOString() }
  const path = `/v1/billing/subscriptions/${id}/transactions`
  const { transactions } = await call({ method: 'GET', path, query }, Transactions)
  return transactions.map(paymentFrom).toSorted((one, other) => one.at.getTime() - other.at.getTime())
}

function paymentFrom(wire: z.output<typeof Transactions>['transactions'][number]): PaypalPayment {
  const { gross_amount: gross, tax_amount: tax } = wire.amount_with_breakdown
  return {
    ...{ id: wire.id, at: wire.time, amount: minorUnits(gross), currency: gross.currency_code },
    tax: tax ? minorUnits(tax) : null,
    state: states.get(wire.status) ?? 'unpaid',
  }
}
