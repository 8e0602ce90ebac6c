import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { answerFailure } from '../wire/api.ts'
import type { PaypalDeps } from '../wire/call.ts'
import { notFound } from '../wire/refusal.ts'
import { certificateChain, rootCertificate } from './certificates.ts'
import { notificationsPath } from './events.wire.ts'

const Id = z.object({ id: z.string().regex(/^CERT-[0-9a-f]{26}$/) })

const type = 'application/x-pem-file'

/** The certificates that vouch for the signatures of events, open to everybody. */
export function certificatesRoutes(app: FastifyInstance, { db }: PaypalDeps): void {
  app.register(async (scope) => {
    scope.setErrorHandler(answerFailure)
    scope.get(`${notificationsPath}/certs/:id`, async (request, reply) => {
      const given = Id.safeParse(request.params)
      const chain = given.success ? await certificateChain(db, given.data.id) : undefined
      if (chain === undefined) throw notFound()
      return reply.header('content-type', type).send(chain)
    })

    /** What a receiver trusts. The real one is in every list of public authorities. */
    scope.get('/paypal/certs/root.pem', async (_request, reply) =>
      reply.header('content-type', type).send(await rootCertificate(db)),
    )
  })
}
