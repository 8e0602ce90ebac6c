import * as contract from '@atrium/contract/orders.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { downloadInvoice } from './invoices.service.ts'
import { offlineOrdersOf, onlineOrdersOf } from './orders.queries.ts'

export function ordersRoutes(app: FastifyInstance, deps: Deps) {
  const { db, clock, config } = deps

  serve(app, contract.listOnlineOrders, ({ query }, member) =>
    onlineOrdersOf(db, member, { ...query, now: clock(), downloadHosts: config.DOWNLOAD_HOSTS }),
  )

  serve(app, contract.downloadInvoice, ({ body }, member) => downloadInvoice(deps, member, body))

  serve(app, contract.listOfflineOrders, ({ query }, member) => offlineOrdersOf(db, member, query))
}
