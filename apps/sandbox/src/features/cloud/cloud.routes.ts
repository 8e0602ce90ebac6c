import { Problem } from '@atrium/server-kit/problem.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { sendPage } from '../../page/page.ts'
import { greeting, refused, signedOut } from './cloud.page.ts'
import { serviceOf, type Visit, wayBack } from './cloud.rules.ts'
import { validateAt } from './validate.ts'

type Settings = Record<'SANDBOX_URL' | 'PUBLIC_URL' | 'SSO_URL' | 'BRAND_NAME', string>

const Params = z.object({ region: z.enum(['us', 'eu', 'ca', 'au']) })

/** A parameter that is given once. */
const Text = z.string().max(2000).optional().catch(undefined)
const Query = z.object({ ticket: Text, from: Text, enterpriseId: Text })

/**
 * The cloud service in its four regions. It signs people in by their ticket, which it validates at the single sign-on as a real one
 * would: over the back channel, and with its own address.
 */
export function cloudRoutes(app: FastifyInstance, config: Settings): void {
  app.get('/cloud/:region', async (request, reply) => {
    const { region } = paramsOf(request.params)
    const { ticket, from, enterpriseId } = Query.parse(request.query)
    const visit: Visit = {
      region,
      brandName: config.BRAND_NAME,
      service: serviceOf(config, region),
      back: wayBack(config, from),
      enterpriseId,
      signInUrl: config.SSO_URL,
    }
    if (ticket === undefined) return sendPage(reply, signedOut(visit))

    const answer = await validateAt(config.SSO_URL, { service: visit.service, ticket })
    return 'person' in answer
      ? sendPage(reply, greeting(visit, answer.person))
      : sendPage(reply.code(403), refused(visit, answer.code))
  })

  // Single logout. There is no session here that could end.
  app.register(async (forms) => {
    forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) =>
      done(null, undefined),
    )
    forms.post('/cloud/:region', (request, reply) => {
      paramsOf(request.params)
      return reply.code(200).send()
    })
  })
}

function paramsOf(params: unknown): z.output<typeof Params> {
  const parsed = Params.safeParse(params)
  if (!parsed.success) throw new Problem('not_found')
  return parsed.data
}
