import * as contract from '@atrium/contract/cards.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { cardDetail, finishSetupIntent, removeCard, setDefaultCard, updateCard } from './cards.service.ts'
import { cardList } from './member-cards.ts'
import { createSetupIntent } from './new-card.ts'

export function cardsRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.listCards, (_input, member) => cardList(deps, member))
  serve(app, contract.createSetupIntent, ({ body }, member, { idempotencyKey }) =>
    createSetupIntent(deps, member, { ...body, idempotencyKey }),
  )
  serve(app, contract.finishSetupIntent, ({ params }, member) => finishSetupIntent(deps, member, params.id))
  serve(app, contract.readCard, ({ params, query }, member) =>
    cardDetail(deps, member, { id: params.paymentMethodId, lang: query.lang }),
  )
  serve(app, contract.updateCard, ({ params, body }, member) =>
    updateCard(deps, member, { id: params.paymentMethodId, edit: body }),
  )
  serve(app, contract.setDefaultCard, ({ params }, member) => setDefaultCard(deps, member, params.paymentMethodId))
  serve(app, contract.removeCard, ({ params, query }, member) =>
    removeCard(deps, member, {
      paymentMethodId: params.paymentMethodId,
      isReplaced: query.replace === '1',
      successorId: query.successor,
    }),
  )
}
