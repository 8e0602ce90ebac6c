import { requestCloudTicket } from '@atrium/contract/cloud-tickets.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { issueCloudTicket } from './cloud-tickets.service.ts'

/** Called by account-server, never by a browser. */
export function cloudTicketsRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, requestCloudTicket, ({ body }, caller) => issueCloudTicket(deps, body.request, caller))
}
