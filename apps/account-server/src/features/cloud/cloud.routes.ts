import * as contract from '@atrium/contract/cloud.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { chooseDataRegion, cloudAccount, launchCloud } from './cloud.service.ts'

export function cloudRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.lookUpRegion, (_input, member) => cloudAccount(deps, member))

  serve(app, contract.chooseRegion, ({ body: { region } }, member) => chooseDataRegion(deps, member, region))

  serve(app, contract.openCloud, ({ body }, member) => launchCloud(deps, member, body))
}
