import * as contract from '@atrium/contract/envelope-sharing.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { enableSharing } from './envelope-sharing.service.ts'

export function envelopeSharingRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.enablePooling, ({ body: { sid } }, member) => enableSharing(deps, member, sid))
}
