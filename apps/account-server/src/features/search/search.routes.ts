import * as contract from '@atrium/contract/search.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { accessNow } from '../subscriptions/subscriptions.rules.ts'
import { hitsOf } from './search.queries.ts'

export function searchRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.searchAccount, ({ query: { keyWord } }, member) =>
    hitsOf(deps.db, { member, keyWord, access: accessNow(deps) }),
  )
}
