import * as contract from '@atrium/contract/security.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { setSupportAccess, supportAccess } from './support-access.service.ts'

export function securityRoutes(app: FastifyInstance, { db, wallClock }: Deps) {
  serve(app, contract.readSupportAccess, (_input, member) => supportAccess(db, member, wallClock()))

  serve(app, contract.setSupportAccess, ({ body }, member) =>
    setSupportAccess(db, { member, duration: body.grantLoginExpireTime, now: wallClock() }),
  )
}
