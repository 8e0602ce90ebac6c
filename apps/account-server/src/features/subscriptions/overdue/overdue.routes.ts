import * as contract from '@atrium/contract/overdue-payments.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { expectPaidHere } from '../partner-sales.ts'
import { finishPayment, payWhatIsDue } from './overdue.service.ts'

export function overdueRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.payOverdue, ({ params: { sid }, body }, member, { idempotencyKey }) =>
    payWhatIsDue(deps, member, { sid, body, idempotencyKey }),
  )

  serve(app, contract.finishOverduePayment, async ({ params: { sid } }, member) => {
    await expectPaidHere(deps.db, member, sid)
    return finishPayment(deps, member, sid)
  })
}
