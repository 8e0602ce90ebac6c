import { listSubscriptionUsers } from '@atrium/contract/team.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { subscriptionUsers } from './team.service.ts'

export function teamRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, listSubscriptionUsers, ({ query }, member) => subscriptionUsers(deps, member, query))
}
