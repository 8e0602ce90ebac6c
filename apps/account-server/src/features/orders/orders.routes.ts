import * as files from '@atrium/contract/order-files.ts'
import * as contract from '@atrium/contract/orders.ts'
import { newLimit } from '@atrium/server-kit/limits.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { downloadInvoice } from './invoices.service.ts'
import { latestOrderArchive, requestOrderArchive } from './order-archive.service.ts'
import { exportOfOrders } from './order-export.service.ts'
import { offlineOrdersOf, onlineOrdersOf } from './order-list.queries.ts'

export function ordersRoutes(app: FastifyInstance, deps: Deps) {
  const { db, clock, config } = deps

  serve(app, contract.listOnlineOrders, ({ query }, member) =>
    onlineOrdersOf(db, member, { ...query, now: clock(), downloadHosts: config.DOWNLOAD_HOSTS }),
  )

  serve(app, contract.downloadInvoice, ({ body }, member) => downloadInvoice(deps, member, body))

  // Each may render and read thousands of documents.
  const archives = newLimit(db, { name: 'order-archive', points: 20, seconds: 86_400, schema: 'account' })

  serve(app, files.exportOrders, ({ query }, member) => exportOfOrders(deps, member, query))

  serve(app, files.readOrderArchive, (_input, member) => latestOrderArchive(deps, member))

  serve(app, files.requestOrderArchive, async ({ body }, member) => {
    await archives.take(member.id)
    return requestOrderArchive(deps, member, body)
  })

  serve(app, contract.listOfflineOrders, ({ query }, member) => offlineOrdersOf(db, member, query))
}
