import * as contract from '@atrium/contract/products.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { myProducts } from './products.service.ts'
import { dismissPrompt, renewalPrompts } from './renewal-prompts.service.ts'

export function productsRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.listMyProducts, ({ query }, member) => myProducts(deps, member, query))

  serve(app, contract.listRenewalPrompts, ({ query }, member) => renewalPrompts(deps, member, query.lang))

  serve(app, contract.dismissRenewalPrompt, ({ body }, member) => dismissPrompt(deps, member, body))
}
