import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CurrencyCode, MinorUnits } from './money.ts'
import { PageQuery } from './page.ts'

/** Offline order, 000 §3: made outside the store, through sales reps, distributors or resellers. */
export const OfflineOrder = z.object({
  nsOrderNumber: z.string(),
  /** One entry a product line. */
  orderDescription: z.array(z.string()),
  orderAmount: MinorUnits,
  orderCurrency: CurrencyCode,
  /** ISO 8601. */
  orderDate: z.string(),
})
export type OfflineOrder = z.infer<typeof OfflineOrder>

/** Newest first (000 §2.6). */
export const listOfflineOrders = endpoint({
  method: 'GET',
  path: '/account/offline-orders/',
  summary: 'Orders made outside the store, newest first',
  query: PageQuery,
  reply: z.object({ list: z.array(OfflineOrder), total: z.int() }),
})
