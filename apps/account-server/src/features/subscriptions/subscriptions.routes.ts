import { listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import * as contract from '@atrium/contract/subscriptions.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { paymentsBeingChecked } from './checked-payments.queries.ts'
import { expectPaidHere } from './partner-sales.ts'
import { approvalOfRenewal } from './paypal-approvals.service.ts'
import { addPaypalLicense } from './paypal-change/paypal-return.service.ts'
import { manageAddress, subscriptionsOf } from './subscriptions.service.ts'

export function subscriptionsRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.listSubscriptions, ({ query }, member) => subscriptionsOf(deps, member, query))

  serve(app, listPaymentsBeingChecked, (_input, member) => paymentsBeingChecked(deps.db, member))

  serve(app, contract.paypalAddLicense, ({ query: { stripeSubscriptionId } }, member) =>
    addPaypalLicense(deps, member, stripeSubscriptionId),
  )

  serve(app, contract.paypalRenewSubscription, async ({ body: { sid } }, member) => {
    await expectPaidHere(deps.db, member, sid)
    return approvalOfRenewal(deps, member, sid)
  })

  serve(app, contract.getPortal, ({ params: { sid } }, member) => manageAddress(deps, member, { sid, at: 'portal' }))

  serve(app, contract.autoLoginRedact, ({ body: { sid } }, member) =>
    manageAddress(deps, member, { sid, at: 'storage' }),
  )
}
