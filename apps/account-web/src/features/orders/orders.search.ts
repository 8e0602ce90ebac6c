import { maxKeyWord, OrderStatus } from '@atrium/contract/orders.ts'
import { ListRange } from '@atrium/contract/range.ts'
import { z } from 'zod'
import { PageNumber } from '../../page/list-page.ts'

/** The filters of online orders (000 §5). */
const filters = {
  status: OrderStatus.optional().catch(undefined),
  range: ListRange.optional().catch(undefined),
  keyWord: z.string().trim().min(1).max(maxKeyWord).optional().catch(undefined),
}

export const OrdersFilter = z.object(filters)
export type OrdersFilter = z.output<typeof OrdersFilter>

/** The search parameters of My Orders. Without a list, the online orders are shown. */
export const OrdersSearch = z.object({
  list: z.literal('offline').optional().catch(undefined),
  ...filters,
  page: PageNumber,
})

export const noFilter = { status: undefined, range: undefined, keyWord: undefined } satisfies OrdersFilter
