import * as contract from '@atrium/contract/quotes.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { readQuoteForm, requestQuote } from './quotes.service.ts'

export function quotesRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.readQuoteForm, ({ query }, member) => readQuoteForm(deps, member, query.lang))

  serve(app, contract.requestQuote, ({ body }, member, { idempotencyKey }) =>
    requestQuote(deps, member, { request: body, idempotencyKey }),
  )
}
