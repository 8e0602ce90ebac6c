import { listOfflineOrders } from '@atrium/contract/orders.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { offlineOrdersOf } from './orders.queries.ts'

export function ordersRoutes(app: FastifyInstance, { db }: Deps) {
  serve(app, listOfflineOrders, ({ query }, member) => offlineOrdersOf(db, member, query))
}
