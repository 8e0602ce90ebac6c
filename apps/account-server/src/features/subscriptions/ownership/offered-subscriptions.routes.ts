import * as contract from '@atrium/contract/offered-subscriptions.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { declineSubscription } from './decline-subscription.service.ts'
import { answerOffer, offeredTo } from './offered-subscriptions.service.ts'

export function offeredSubscriptionsRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.listOffered, (_input, member) => offeredTo(deps.db, member))

  serve(app, contract.answerOffered, ({ params, body }, member) => answerOffer(deps, member, { ...params, ...body }))

  serve(app, contract.declineSubscription, ({ params: { sid } }, member) => declineSubscription(deps, member, sid))
}
