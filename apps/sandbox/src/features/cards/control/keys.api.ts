import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ApiDeps } from '../requests/call.ts'
import { issueKey } from '../requests/keys.ts'

const Right = z.templateLiteral([z.string().regex(/^(\*|[a-z_]+)$/), ':', z.enum(['read', 'write'])])

const issue = {
  method: 'POST',
  path: '/cards/control/keys/',
  access: 'device',
  summary: 'Issues a secret key; with a list of rights, a restricted one',
  body: z.object({
    /** Resource and verb, such as `customers:read`; missing for all. */
    rights: z.array(Right).max(100).optional(),
  }),
  reply: z.object({ key: z.string() }),
} as const

/** Keys of the API, as the vendor's dashboard issues them. */
export function keysApi(app: FastifyInstance, { db }: Pick<ApiDeps, 'db'>): void {
  serve(app, issue, async ({ body: { rights } }) => ({ key: await issueKey(db, rights ?? null) }))
}
