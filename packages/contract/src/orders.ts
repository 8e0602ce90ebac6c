import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Flag } from './flag.ts'
import { LocaleCode } from './locale.ts'
import { CurrencyCode, MinorUnits } from './money.ts'
import { PageQuery } from './page.ts'
import { ListRange } from './range.ts'
import { Line } from './text.ts'

/** 000 §4: WT In Progress, PD Pending, QT Quoting, OP Open, CO Completed, CL Canceled. */
export const orderStatuses = ['WT', 'PD', 'QT', 'OP', 'CO', 'CL'] as const
export const OrderStatus = z.enum(orderStatuses)
export type OrderStatus = z.infer<typeof OrderStatus>

/** Online order, 000 §3. */
export const OnlineOrder = z.object({
  orderNumber: z.string(),
  /** Empty if there is none. */
  orderInvoiceNum: z.string(),
  /** One entry per product line, in the reader's language; as it came if it came as free text. */
  orderDescription: z.array(z.string()),
  /** One entry per product line, in the same order. */
  orderProduct: z.array(
    z.object({
      /** What was bought, and the time it is for: the description in two parts. The note is empty if there is none. */
      name: z.string(),
      note: z.string(),
      /** In minor units of `orderCurrency`, before tax; negative: taken off. null if unknown. */
      amount: MinorUnits.nullable(),
      /** Download address of the product; empty if the catalog has none on an allowed host. */
      downloadUrl: z.string(),
      /** 1: what a coupon took off, which belongs below the subtotal of the other lines. */
      isDiscount: Flag,
    }),
  ),
  /** What was charged. null: the price is hidden, and no other field of the order says it. */
  orderAmount: MinorUnits.nullable(),
  orderCurrency: CurrencyCode,
  /** Of the lines, tax included; the account's balance makes the difference to the amount. null: the price is hidden. */
  orderTotal: MinorUnits.nullable(),
  /** Part of the total; null if unknown. */
  orderTax: MinorUnits.nullable(),
  /** What was given back of the amount so far; 0: nothing. */
  orderRefundedAmount: MinorUnits,
  /** When it last was, ISO 8601; empty: never. */
  orderRefundDate: z.string(),
  orderStatus: OrderStatus,
  /** 1: its payment failed, and is still due. */
  isPaymentDue: Flag,
  /** 1: a change of a subscription waits for its payment, or for the bank's question: nothing has failed. */
  isChangeWaiting: Flag,
  /** 1: it was of a change that was dropped before it was paid: nothing was charged. */
  isChangeNotMade: Flag,
  /** 1: it was not paid, and is not charged any more, since its subscription has ended. */
  isSubscriptionEnded: Flag,
  /** The provider's page on which it can be paid; empty: it is paid, or not to be paid here. */
  payUrl: z.string(),
  /** ISO 8601. */
  orderDate: z.string(),
  /** What Download Invoice returns; not offered if `none`. */
  invoiceKind: z.enum(['invoice', 'pro_forma', 'summary', 'none']),
})
export type OnlineOrder = z.infer<typeof OnlineOrder>

/** What was paid for completed orders, less what was given back, in minor units. */
export const PaidSum = z.object({
  amount: MinorUnits,
  currency: CurrencyCode,
  /** By month (UTC) if the range is a calendar year: twelve; else empty. */
  months: z.array(MinorUnits),
  /** By calendar year (UTC), the newest first, if no range is set; else empty. */
  years: z.array(z.object({ year: z.int(), amount: MinorUnits })),
})
export type PaidSum = z.infer<typeof PaidSum>

export const maxKeyWord = 200

/** Which orders. `keyWord` searches order number, invoice number and product text. */
export const OnlineOrdersFilter = z.object({
  status: OrderStatus.optional(),
  range: ListRange.optional(),
  keyWord: Line(maxKeyWord).default(''),
})
export type OnlineOrdersFilter = z.output<typeof OnlineOrdersFilter>

/** Newest first (000 §2.6). */
export const listOnlineOrders = endpoint({
  method: 'GET',
  path: '/account/online-orders/',
  summary: 'Orders made in the store, newest first',
  query: PageQuery.extend({
    ...OnlineOrdersFilter.shape,
    /** Language of the lines. */
    lang: LocaleCode.default('en-us'),
  }),
  support: 'read',
  reply: z.object({
    list: z.array(OnlineOrder),
    total: z.int(),
    /** Of all matching orders, by currency, that of the most orders first; one in which nothing was paid is left out. */
    paid: z.array(PaidSum),
  }),
})

/** What the member has paid, and the vendor has to look at before it is an order. */
export const listPaymentsBeingChecked = endpoint({
  method: 'GET',
  path: '/account/payments-being-checked/',
  summary: 'Payments of the member that are being checked',
  support: 'read',
  reply: z.object({
    /** Oldest first, the first 20. */
    list: z.array(
      z.object({
        /** Of the payment, for as long as nothing else waits with it. */
        id: z.string(),
        provider: z.enum(['card', 'paypal']),
        /** Epoch seconds. */
        paidAt: z.int(),
        /** Left out: not known. */
        amount: MinorUnits.optional(),
        currency: CurrencyCode.optional(),
      }),
    ),
  }),
})

/** A file in a reply: `content` is base64. */
export const FileReply = z.object({ content: z.base64(), filename: z.string() })

/**
 * The invoice of an order, or its summary (000 §7: orderNum, invoiceNum). Both must belong together and to the caller, else
 * 404. A POST, because the first download of a summary creates and stores it.
 */
export const downloadInvoice = endpoint({
  method: 'POST',
  path: '/account/invoices/download/',
  summary: 'Download the invoice of an order',
  limit: 'document',
  body: z.object({
    orderNum: z.string().min(1).max(64),
    /** Empty for an order without an invoice number. */
    invoiceNum: z.string().max(64).default(''),
    /** Language of a newly created summary; an existing invoice keeps its language. */
    lang: LocaleCode.default('en-us'),
  }),
  reply: FileReply,
  problems: {
    /** Nothing to download: canceled, quoting, in progress, or open without an invoice number. */
    no_invoice: 409,
    /** The vendor's file could not be fetched, or is not a PDF. */
    invoice_unavailable: 502,
  },
})

/** Offline order, 000 §3: made outside the store, through sales reps, distributors or resellers. */
export const OfflineOrder = z.object({
  nsOrderNumber: z.string(),
  /** One entry per product line. */
  orderDescription: z.array(z.string()),
  orderAmount: MinorUnits,
  orderCurrency: CurrencyCode,
  /** ISO 8601. */
  orderDate: z.string(),
})
export type OfflineOrder = z.infer<typeof OfflineOrder>

/** Newest first (000 §2.6). `keyWord` searches order number and product text. */
export const listOfflineOrders = endpoint({
  method: 'GET',
  path: '/account/offline-orders/',
  summary: 'Orders made outside the store, newest first',
  query: PageQuery.extend({ keyWord: Line(maxKeyWord).default('') }),
  support: 'read',
  reply: z.object({ list: z.array(OfflineOrder), total: z.int() }),
})
