import * as contract from '@atrium/contract/data-export.ts'
import { newLimit } from '@atrium/server-kit/limits.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { latestDataExport, requestDataExport } from './data-export.service.ts'

export function dataExportRoutes(app: FastifyInstance, deps: Deps) {
  // Each reads everything that is stored about the member.
  const requests = newLimit(deps.db, { name: 'data-export', points: 5, seconds: 86_400, schema: 'account' })

  serve(app, contract.readDataExport, (_input, member) => latestDataExport(deps, member))

  serve(app, contract.requestDataExport, async (_input, member) => {
    await requests.take(member.id)
    return requestDataExport(deps, member)
  })
}
