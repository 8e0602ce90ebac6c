import { ProviderName } from '@atrium/contract/login-providers.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { serve, visitor } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { chosenLocale } from '../../page/language.ts'
import type { Pages } from '../../page/pages.ts'
import * as wire from '../../provider-wire.ts'
import type { TicketMethod } from '../../wire.ts'
import { ticketService } from '../cas/service-url.rules.ts'
import { knownDevice, rememberDevice } from '../session/devices.queries.ts'
import { browserId, browserOf, setSessionCookies } from '../session/session.cookies.ts'
import { destinationOf } from '../sign-in/destination.rules.ts'
import type { SigningBrowser, Started } from '../sign-in/session-start.writes.ts'
import { confirmWithCode, confirmWithPassword, sendIdentityCode } from './confirm.service.ts'
import { flowDestination } from './flows.writes.ts'
import { dropPending } from './pending.writes.ts'
import { finishSignIn, startSignIn } from './provider-sign-in.service.ts'

/** Signing in with a login provider (001 §2). */
export function providersRoutes(app: FastifyInstance, deps: Deps, pages: Pages): void {
  const { config } = deps
  const { SSO_URL: publicUrl } = config

  callbackRoutes(app, deps, pages)

  serve(app, wire.startProvider, async ({ body }, caller, { request, reply }) => {
    const service = ticketService(body.service, config)
    if (body.service !== null && !service) throw new Problem('service_refused')
    const browser = browserId(request, reply, publicUrl)
    return { redirectUrl: await startSignIn(deps, { ...body, service: service?.asked ?? null, browser, caller }) }
  })

  serve(app, wire.finishProvider, async ({ body }, _caller, { request, reply }) => {
    const browser = browserId(request, reply, publicUrl)
    const finished = await finishSignIn(deps, { ...body, browser, signing: signingOf(request, publicUrl) })
    if (finished.step === 'signed-in') {
      return { step: finished.step, ...(await signedIn(request, reply, { ...finished, ...finished.flow })) }
    }
    return finished
  })

  serve(app, wire.sendProviderCode, async ({ body }, caller, { request, reply }) => {
    const device = await knownDevice(deps, request, body.email)
    await sendIdentityCode(deps, { ...body, device, caller, browser: browserId(request, reply, publicUrl) })
    return {}
  })

  serve(app, wire.confirmProviderCode, async ({ body }, _caller, { request, reply }) => {
    const browser = browserId(request, reply, publicUrl)
    const device = await knownDevice(deps, request, body.email)
    const signing = signingOf(request, publicUrl)
    return signedIn(request, reply, await confirmWithCode(deps, { ...body, browser, device, signing }))
  })

  serve(app, wire.confirmProviderPassword, async ({ body }, _caller, { request, reply }) => {
    const browser = browserId(request, reply, publicUrl)
    const device = await knownDevice(deps, request, body.email)
    const signing = signingOf(request, publicUrl)
    return signedIn(request, reply, await confirmWithPassword(deps, { ...body, browser, device, signing }))
  })

  serve(app, wire.dropIdentity, async ({ body }, _caller, { request, reply }) => {
    await dropPending(deps.db, { ...body, browser: browserId(request, reply, publicUrl) }, deps.clock())
    return {}
  })

  async function signedIn(request: FastifyRequest, reply: FastifyReply, signed: SignedIn) {
    const { started, email, service, method } = signed
    setSessionCookies(reply, publicUrl, started)
    await rememberDevice(deps, { request, reply, email })
    return destinationOf(config, { service, method, ticket: started.ticket })
  }
}

interface SignedIn {
  started: Started
  email: string
  service: string | null
  method: TicketMethod
}

function signingOf(request: FastifyRequest, publicUrl: string): SigningBrowser {
  const userAgent = request.headers['user-agent']
  return {
    browser: browserOf(request, publicUrl),
    userAgent,
    chosenLocale: chosenLocale(request),
    caller: visitor(request),
  }
}

type CallbackRequest = FastifyRequest<{ Params: { provider: string }; Querystring: Record<string, unknown> }>

/** The way back from a provider: a page, which redeems the answer. The visit alone changes nothing. */
function callbackRoutes(app: FastifyInstance, { config, db, clock }: Deps, pages: Pages): void {
  app.get('/callback/:provider', async (request: CallbackRequest, reply) => {
    const { data: provider } = ProviderName.safeParse(request.params.provider)
    if (!provider) return pages.show(request, reply, { name: 'not-found' }, 404)
    const { state } = request.query
    const browser = browserId(request, reply, config.SSO_URL)
    const flow =
      typeof state === 'string' ? await flowDestination(db, { state, browser, provider }, clock()) : undefined
    return pages.show(request, reply, {
      name: 'provider-return',
      provider,
      isLink: flow !== undefined && flow.userId !== null,
      service: flow?.service ?? null,
      method: flow?.method ?? 'GET',
    })
  })
}
