import * as contract from '@atrium/contract/plan-changes.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { changeDetail } from './change-quotes.service.ts'
import { commitChange, finishChange } from './plan-change.service.ts'

export function planChangeRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.changePlanFrom, ({ body: { sid, type, increasingNumber, upgradeSelect } }, member) =>
    changeDetail(deps, member, { sid, asked: { type, increasingNumber, upgradeSelect } }),
  )

  serve(app, contract.changePlan, ({ body }, member, { idempotencyKey }) =>
    commitChange(deps, member, { body, idempotencyKey }),
  )

  serve(app, contract.memberPlanPlace, ({ body }, member) => finishChange(deps, member, body))
}
