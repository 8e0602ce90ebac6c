import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ApiDeps } from '../requests/call.ts'
import { afterRetriesWords } from '../store/retries.rules.ts'
import { retrySettings, saveRetrySettings } from '../store/settings.queries.ts'

const Retries = z.object({
  /** Days between the attempts to collect an invoice, after the first. */
  retryDays: z.array(z.int().min(1).max(60)).max(8),
  /** What happens to the subscription when all have failed. */
  afterRetries: z.enum(afterRetriesWords),
})

const base = { access: 'device', path: '/cards/control/collection/', reply: Retries } as const

const read = { ...base, method: 'GET', summary: 'How failed renewals are tried again' } as const

const change = {
  ...base,
  method: 'PUT',
  summary: 'Changes how failed renewals are tried again, and what follows',
  body: Retries,
} as const

/** The settings of the vendor's account that have no API at the provider. */
export function collectionApi(app: FastifyInstance, { db }: Pick<ApiDeps, 'db'>): void {
  serve(app, read, () => retrySettings(db))
  serve(app, change, async ({ body }) => {
    await saveRetrySettings(db, body)
    return body
  })
}
