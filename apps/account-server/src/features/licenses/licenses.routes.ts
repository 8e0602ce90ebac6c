import { downloadKeycodeFile, listLicensedProducts, listLicenses } from '@atrium/contract/licenses.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { keycodeFileOf, licensedProductsOf, licensesOf } from './licenses.service.ts'

export function licensesRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, listLicensedProducts, ({ query }, member) => licensedProductsOf(deps, member, query))
  serve(app, listLicenses, ({ query }, member) => licensesOf(deps, member, query))
  serve(app, downloadKeycodeFile, ({ params }, member) => keycodeFileOf(deps, member, params.licenseId))
}
