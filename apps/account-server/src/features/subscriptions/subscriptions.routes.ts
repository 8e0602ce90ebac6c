import * as contract from '@atrium/contract/subscriptions.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { approvalOfRenewal } from './paypal-approvals.service.ts'
import { addPaypalLicense } from './paypal-change/paypal-return.service.ts'
import { manageAddress, subscriptionsOf } from './subscriptions.service.ts'

export function subscriptionsRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.listSubscriptions, ({ query }, member) => subscriptionsOf(deps, member, query))

  serve(app, contract.paypalAddLicense, ({ query: { stripeSubscriptionId } }, member) =>
    addPaypalLicense(deps, member, stripeSubscriptionId),
  )

  serve(app, contract.paypalRenewSubscription, ({ body: { sid } }, member) => approvalOfRenewal(deps, member, sid))

  serve(app, contract.getPortal, ({ params: { sid } }, member) => manageAddress(deps, member, { sid, at: 'portal' }))

  serve(app, contract.autoLoginRedact, ({ body: { sid } }, member) =>
    manageAddress(deps, member, { sid, at: 'storage' }),
  )
}
