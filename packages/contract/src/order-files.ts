import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LocaleCode } from './locale.ts'
import { FileReply, OnlineOrdersFilter } from './orders.ts'

/** More orders than one file may have; a year or another filter is chosen then. */
export const mostExportedOrders = 10_000

/** The orders of the list, and the language of the file: of new documents, of headings and names. */
const ExportedOrders = OnlineOrdersFilter.extend({ lang: LocaleCode.default('en-us') })

/** One row per order, oldest first: UTF-8 with BOM, amounts in whole units of the currency (`12.5`). */
export const exportOrders = endpoint({
  method: 'GET',
  path: '/account/online-orders/export/',
  summary: 'The orders that match the filters as CSV',
  limit: 'document',
  query: ExportedOrders,
  reply: FileReply,
  problems: { too_many_orders: 409 },
})

/** The documents of orders as one ZIP, for `downloadArchive`: a job makes it. */
export const OrderArchive = z.object({
  id: z.uuid(),
  /** What it is of. */
  filter: OnlineOrdersFilter,
  /** How many documents it is to have, and how many of them the job has been through. */
  total: z.int(),
  done: z.int(),
  /** Numbers of the orders whose document could not be made: the ZIP lists them, too. */
  missing: z.array(z.string()),
  /** Null while it is being prepared. */
  file: z
    .object({
      /** Bytes. */
      size: z.int(),
      /** ISO 8601; it cannot be downloaded after that. */
      expiresAt: z.iso.datetime(),
    })
    .nullable(),
})
export type OrderArchive = z.infer<typeof OrderArchive>

const OrderArchiveReply = z.object({
  /** The member's latest one; null: none, or it has expired. */
  orderArchive: OrderArchive.nullable(),
})
export type OrderArchiveReply = z.infer<typeof OrderArchiveReply>

export const readOrderArchive = endpoint({
  method: 'GET',
  path: '/account/online-orders/archive/',
  summary: 'The ZIP with documents of orders, and how far it is',
  isPolled: true,
  reply: OrderArchiveReply,
})

/** Joins one that is being prepared, whatever it is of; replaces one that is ready. */
export const requestOrderArchive = endpoint({
  method: 'POST',
  path: '/account/online-orders/archive/',
  summary: 'Prepare a ZIP with the documents of the orders that match the filters',
  limit: 'document',
  body: ExportedOrders,
  reply: OrderArchiveReply,
  problems: {
    /** None of the orders has a document. */
    no_documents: 409,
    too_many_orders: 409,
  },
})
