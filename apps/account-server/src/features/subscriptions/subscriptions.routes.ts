import * as contract from '@atrium/contract/subscriptions.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { manageAddress, subscriptionsOf } from './subscriptions.service.ts'

export function subscriptionsRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.listSubscriptions, ({ query }, member) => subscriptionsOf(deps, member, query))

  serve(app, contract.getPortal, ({ params: { sid } }, member) => manageAddress(deps, member, { sid, at: 'portal' }))

  serve(app, contract.autoLoginRedact, ({ body: { sid } }, member) =>
    manageAddress(deps, member, { sid, at: 'storage' }),
  )
}
