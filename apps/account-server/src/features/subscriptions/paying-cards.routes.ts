import * as contract from '@atrium/contract/paying-cards.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { cardListFrom } from '../cards/cards.rules.ts'
import { createSetupIntent } from '../cards/new-card.ts'
import { runOperation, waitForChildren } from '../payments/operations/run-operation.ts'
import { recordNow, refusalOf } from './change-outcome.ts'
import { ownedSubscription } from './owned-subscription.ts'
import { expectPaidHere } from './partner-sales.ts'
import { changePayingCard, expectPayable } from './paying-card.operations.ts'
import { payerFor } from './paying-card.ts'

export function payingCardsRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.listPayingCards, async ({ params: { sid }, query: { purpose } }, member) => {
    await expectPaidHere(deps.db, member, sid)
    const { listed } = await ownedSubscription(deps.db, deps, member, sid)
    if (purpose === 'payer') await expectPayable(deps, listed)
    const payer = await payerFor(deps, member, listed)
    return cardListFrom(payer ?? { cards: [], defaultId: '' }, deps.clock())
  })

  serve(app, contract.addPayingCard, async ({ params: { sid }, body }, member, { idempotencyKey }) => {
    await expectPaidHere(deps.db, member, sid)
    const { listed } = await ownedSubscription(deps.db, deps, member, sid)
    const payer = await payerFor(deps, member, listed)
    // Its customer is somebody else since.
    if (!payer && listed.customerId !== null) throw new Problem('not_found')
    return createSetupIntent(deps, member, { ...body, customerId: payer?.customerId, idempotencyKey })
  })

  serve(app, contract.changePayingCard, async ({ params: { sid }, body }, member, { idempotencyKey }) => {
    const run = await runOperation(deps, changePayingCard, { member, asked: { sid, ...body }, idempotencyKey })
    if (run.is !== 'nothing_to_do') {
      if (run.operation.status !== 'succeeded') throw refusalOf(run.operation)
      await waitForChildren(deps, run.operation)
    }
    return recordNow(deps, member, sid)
  })
}
