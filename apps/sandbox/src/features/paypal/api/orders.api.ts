import { z } from 'zod'
import { NewOrder } from '../orders/orders.parameters.ts'
import { ordersPath as path, shortOrder, wireCapturedOrder, wireOrder } from '../orders/orders.wire.ts'
import { captureOrder, createOrder, orderWithCaptures } from '../orders/orders.writes.ts'
import { patchOrder } from '../orders/patch-order.ts'
import { children, find } from '../store/store.ts'
import { type Api, anyBody } from '../wire/api.ts'
import { patches } from '../wire/fields.rules.ts'
import { notFound } from '../wire/refusal.ts'

/** For how many hours a request id is remembered. */
const remembers = 6

const Created = z.object({ id: z.string() })

/** Orders, version 2. */
export function ordersApi(api: Api): void {
  api.change({
    method: 'POST',
    path,
    body: NewOrder,
    remembers,
    async run(call, { body, isWhole, requestId }) {
      const order = await createOrder(call, body, requestId)
      return { status: 201, body: isWhole ? wireOrder(call, order, []) : shortOrder(call, order) }
    },
    async repeat(call, first, { isWhole }) {
      const { order, captures } = await orderWithCaptures(call, Created.parse(first).id)
      return isWhole ? wireOrder(call, order, captures) : shortOrder(call, order)
    },
  })

  api.get({
    path: `${path}/:id`,
    query: z.object({ fields: z.string().max(100).optional() }),
    async run(call, { id }) {
      const order = await find(call.tx, 'order', id)
      if (!order) throw notFound()
      return wireOrder(call, order, await children(call.tx, 'capture', id))
    },
  })

  api.change({
    method: 'PATCH',
    path: `${path}/:id`,
    body: patches,
    async run(call, { id, body }) {
      await patchOrder(call, id, body)
      return { status: 204 }
    },
  })

  api.change({
    method: 'POST',
    path: `${path}/:id/capture`,
    body: anyBody,
    remembers,
    async run(call, { id, isWhole }) {
      const { order, captures } = await captureOrder(call, id)
      const body = isWhole ? wireOrder(call, order, captures) : wireCapturedOrder(call, order, captures)
      return { status: 201, body }
    },
    async repeat(call, _first, { id, isWhole }) {
      const { order, captures } = await orderWithCaptures(call, id)
      return isWhole ? wireOrder(call, order, captures) : wireCapturedOrder(call, order, captures)
    },
  })
}
