import { emailForm } from '@atrium/contract/email.ts'
import { plainLine } from '@atrium/contract/text.ts'
import { z } from 'zod'
import { ProviderFailure } from '../provider-failure.ts'
import { AccountId } from './account-id.ts'
import type { CallPaypal } from './client.ts'
import { Money, minorUnits, paypalMoney } from './money.rules.ts'

const Instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

const WireCapture = z.object({
  id: z.string(),
  status: z.string(),
  amount: Money,
  custom_id: z.string().default(''),
  create_time: Instant,
  update_time: Instant.optional(),
})

const Links = z.array(z.object({ rel: z.string(), href: z.string() })).default([])

const WireOrder = z.object({
  id: z.string(),
  status: z.string(),
  purchase_units: z
    .array(
      z.object({
        custom_id: z.string().default(''),
        amount: Money.optional(),
        payee: z.object({ merchant_id: z.string().default(''), email_address: z.string().default('') }).optional(),
        payments: z.object({ captures: z.array(WireCapture).default([]) }).optional(),
      }),
    )
    .default([]),
  payer: z
    .object({
      email_address: z.string().default(''),
      payer_id: AccountId,
      name: z.object({ given_name: z.string().default(''), surname: z.string().default('') }).optional(),
    })
    .optional(),
  payment_source: z
    .object({ paypal: z.object({ account_id: AccountId }).optional() })
    .optional()
    .catch(undefined),
  links: Links,
})

const WholeCapture = WireCapture.extend({
  supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().default('') }) }).optional(),
})

const WireRefund = z.object({ id: z.string(), status: z.string(), amount: Money, create_time: Instant, links: Links })

const Identified = z.object({ id: z.string() })

/** A payment of an order. */
export interface PaypalCapture {
  id: string
  state: 'paid' | 'pending' | 'failed'
  /** Minor units. */
  amount: number
  currency: string
  paidAt: Date
  /** When all of it was given back; null: not all, or nothing. */
  refundedAt: Date | null
}

/** An order as PayPal has it: what the customer is asked to approve, once. */
export interface PaypalOrder {
  id: string
  /** What we wrote to it. */
  customId: string
  /** `approved`: it can be captured. `captured`: with its payment. */
  state: 'open' | 'approved' | 'captured' | 'void'
  /** Minor units. */
  amount: number
  currency: string
  /** Who gets the payment, by PayPal's id of the merchant, or the address of one without. */
  payee: string
  payer: { name: string; email: string }
  /** PayPal's id of the account that has approved it. Empty: none has, as with a guest's card, or PayPal does not say which. */
  accountId: string
  capture: PaypalCapture | null
  /** Where the customer approves; empty once it is done. */
  approveLink: string
}

interface NewOrder {
  operationId: string
  /** Minor units of `currency`. */
  amount: number
  currency: string
  /** What the customer reads at PayPal. */
  description: string
  returnUrl: string
  cancelUrl: string
}

const path = '/v2/checkout/orders'

/** The longest description that PayPal takes. */
const longestDescription = 127

/** Orders of PayPal: payments that are made once. */
export function orderCalls(call: CallPaypal) {
  const readOrder = async (id: string): Promise<PaypalOrder> =>
    orderFrom(await call({ method: 'GET', path: `${path}/${id}` }, WireOrder))

  return {
    readOrder,

    /** For the same operation PayPal answers the same order, as it is by then; it remembers that for some hours. */
    async createOrder({ operationId, amount, currency, ...order }: NewOrder): Promise<PaypalOrder> {
      const money = paypalMoney(amount, currency)
      if (!money) throw new ProviderFailure('invalid', new Error(`PayPal does not take ${amount} ${currency}`))
      const { returnUrl: return_url, cancelUrl: cancel_url } = order
      const context = {
        ...{ return_url, cancel_url, user_action: 'PAY_NOW', shipping_preference: 'NO_SHIPPING' },
        // A payment that takes days could come when the period is over.
        payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
      }
      const description = order.description.slice(0, longestDescription)
      const body = {
        intent: 'CAPTURE',
        purchase_units: [{ amount: money, custom_id: operationId, description }],
        payment_source: { paypal: { experience_context: context } },
      }
      return orderFrom(await call({ method: 'POST', path, body, requestId: operationId }, WireOrder))
    },

    /**
     * Takes the payment that the customer has approved. PayPal does that once for an order, whoever asks again.
     * @throws ProviderFailure `refused` if the customer cannot pay so
     */
    async captureOrder({ id, operationId }: { id: string; operationId: string }): Promise<PaypalOrder> {
      const requestId = `${operationId}-capture`
      try {
        const captured = await call({ method: 'POST', path: `${path}/${id}/capture`, requestId }, WireOrder)
        return orderFrom(captured)
      } catch (error) {
        const isDone = error instanceof ProviderFailure && error.code === 'ORDER_ALREADY_CAPTURED'
        if (isDone) return readOrder(id)
        throw error
      }
    },

    /** Gives all of a payment back; once, for the same operation. */
    async refundCapture({ captureId, operationId }: { captureId: string; operationId: string }): Promise<void> {
      const requestId = `${operationId}-refund`
      try {
        await call({ method: 'POST', path: `/v2/payments/captures/${captureId}/refund`, requestId }, Identified)
      } catch (error) {
        const isDone = error instanceof ProviderFailure && error.code === 'CAPTURE_FULLY_REFUNDED'
        if (!isDone) throw error
      }
    },

    /** A payment of an order, and the order. */
    async orderOfCapture(id: string): Promise<string> {
      const capture = await call({ method: 'GET', path: `/v2/payments/captures/${id}` }, WholeCapture)
      return capture.supplementary_data?.related_ids.order_id ?? ''
    },

    /** What was given back of a payment of an order, at one time. */
    async readCaptureRefund(id: string) {
      const refund = await call({ method: 'GET', path: `/v2/payments/refunds/${id}` }, WireRefund)
      const up = refund.links.find(({ rel }) => rel === 'up')?.href ?? ''
      return {
        id,
        captureId: up.split('/').at(-1) ?? '',
        isFailed: !['COMPLETED', 'PENDING'].includes(refund.status),
        amount: minorUnits(refund.amount),
        refundedAt: refund.create_time,
      }
    },
  }
}

const states: ReadonlyMap<string, PaypalOrder['state']> = new Map([
  ['APPROVED', 'approved'],
  ['COMPLETED', 'captured'],
  ['VOIDED', 'void'],
])

function orderFrom({ id, status, purchase_units: units, links, ...paid }: z.output<typeof WireOrder>): PaypalOrder {
  const [unit] = units
  const { payer } = paid
  const [capture] = unit?.payments?.captures ?? []
  return {
    id,
    customId: unit?.custom_id ?? '',
    state: states.get(status) ?? 'open',
    amount: unit?.amount ? minorUnits(unit.amount) : 0,
    currency: unit?.amount?.currency_code ?? '',
    payee: unit?.payee?.merchant_id || unit?.payee?.email_address || '',
    payer: {
      name: plainLine([payer?.name?.given_name, payer?.name?.surname].filter(Boolean).join(' ')),
      email: emailForm(payer?.email_address ?? ''),
    },
    accountId: accountOf(paid),
    capture: capture ? captureFrom(capture) : null,
    approveLink: links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href ?? '',
  }
}

/**
 * Orders v2 names the account in `payment_source.paypal`, and calls `payer` deprecated, since it was meant for that source alone; some
 * orders that are approved show it only there. Whoever enters a card as a guest has a `payer_id`, too, which is no account's.
 */
function accountOf({ payer, payment_source: source }: Pick<z.output<typeof WireOrder>, 'payer' | 'payment_source'>) {
  if (!source?.paypal) return ''
  const [account, other] = [source.paypal.account_id, payer?.payer_id].filter(Boolean)
  return account && (other ?? account) === account ? account : ''
}

function captureFrom({ id, status, amount, ...times }: z.output<typeof WireCapture>): PaypalCapture {
  const isRefunded = status === 'REFUNDED' || status === 'REVERSED'
  return {
    id,
    state: stateOf(status),
    amount: minorUnits(amount),
    currency: amount.currency_code,
    paidAt: times.create_time,
    refundedAt: isRefunded ? (times.update_time ?? times.create_time) : null,
  }
}

/** What was given back was paid before. */
function stateOf(status: string): PaypalCapture['state'] {
  if (status === 'PENDING') return 'pending'
  return status === 'DECLINED' || status === 'FAILED' ? 'failed' : 'paid'
}
