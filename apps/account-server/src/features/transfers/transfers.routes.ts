import * as contract from '@atrium/contract/transfers.ts'
import { newLimit } from '@atrium/server-kit/limits.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { sendCodes } from './send-codes.service.ts'
import { eligibilityOf, expectRecipient } from './transfer-eligibility.service.ts'
import { transferSubscriptions } from './transfers.service.ts'

export function transfersRoutes(app: FastifyInstance, deps: Deps) {
  /** Addresses that a member may try: the answer says which of them have an account. */
  const lookups = newLimit(deps.db, { name: 'transfer-recipients', points: 30, seconds: 3600, schema: 'account' })

  serve(app, contract.checkTransfer, (_input, member) => eligibilityOf(deps, member))

  serve(app, contract.checkTransferEmail, async ({ query: { email } }, member) => {
    await lookups.take(member.id)
    await expectRecipient(deps, deps.db, member, email)
    return { email }
  })

  serve(app, contract.transferEmailCode, async ({ body }, member) => {
    await lookups.take(member.id)
    return sendCodes(deps, member, body)
  })

  serve(app, contract.subscriptionTransfer, ({ body }, member, { idempotencyKey }) =>
    transferSubscriptions(deps, member, { body, idempotencyKey }),
  )
}
