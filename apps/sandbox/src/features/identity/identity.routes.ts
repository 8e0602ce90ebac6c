import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { exportJWK, generateKeyPair } from 'jose'
import { errors } from 'oidc-provider'
import { z } from 'zod'
import { html } from '../../page/html.ts'
import { sendPage } from '../../page/page.ts'
import { type CompanyName, companies, companyNames } from './companies.ts'
import { PersonForm } from './people.ts'
import { type SigningKey, type StandIn, standIn } from './provider.ts'
import { noSignInPage, signInPage } from './sign-in.page.ts'

interface Config {
  SANDBOX_URL: string
  SSO_URL: string
}

/** The six login providers, each below `/identity/<name>`. */
export async function identityRoutes(app: FastifyInstance, config: Config): Promise<void> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'sandbox-identity', alg: 'RS256', use: 'sig' }

  app.get('/identity', (_request, reply) => sendPage(reply, overview()))
  await app.register(async (raw) => {
    // `oidc-provider` reads the body itself; the form of our own page is read below.
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', (_request, _body, done) => done(null))
    for (const company of companyNames) await mount(raw, { company, config, key })
  })
}

interface Mounting {
  company: CompanyName
  config: Config
  key: SigningKey
}

async function mount(app: FastifyInstance, { company, config, key }: Mounting): Promise<void> {
  const path = `/identity/${company}`
  const stand = standIn({ company, address: `${config.SANDBOX_URL}${path}`, ssoUrl: config.SSO_URL, key })
  const callback = stand.provider.callback()

  function pass(request: FastifyRequest, reply: FastifyReply, below: string) {
    reply.hijack()
    Object.assign(request.raw, { originalUrl: `${path}${below}`, url: below })
    return callback(request.raw, reply.raw)
  }

  signInRoutes(app, { company, path, stand, ssoUrl: config.SSO_URL })
  if (company === 'facebook') facebookRoutes(app, path, stand)
  if (company === 'microsoft') {
    // The metadata of all tenants.
    app.get(`${path}/common/v2.0/.well-known/openid-configuration`, (request, reply) =>
      pass(request, reply, '/.well-known/openid-configuration'),
    )
  }
  app.all(`${path}/*`, (request, reply) => pass(request, reply, request.raw.url?.slice(path.length) ?? '/'))
}

interface SignIn {
  company: CompanyName
  path: string
  stand: StandIn
  ssoUrl: string
}

const Answer = z.object({ answer: z.enum(['allow', 'cancel', 'fail']) })

function signInRoutes(app: FastifyInstance, { company, path, stand, ssoUrl }: SignIn): void {
  const { provider, people, mixedUp } = stand
  // The answer of the form redirects to the single sign-on host.
  const policy =
    `default-src 'none'; style-src 'self'; img-src data:; form-action 'self' ${new URL(ssoUrl).origin}; ` +
    "base-uri 'none'; frame-ancestors 'none'"

  const interactionOf = (request: FastifyRequest, reply: FastifyReply) =>
    provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
      if (error instanceof errors.SessionNotFound) return undefined
      throw error
    })

  app.get(`${path}/sign-in/:uid`, async (request, reply) => {
    const interaction = await interactionOf(request, reply)
    if (!interaction) return sendPage(reply.code(410), noSignInPage(companies[company]))
    return sendPage(reply, pageOf(request, interaction.params), policy)
  })

  app.post(`${path}/sign-in/:uid`, async (request, reply) => {
    const interaction = await interactionOf(request, reply)
    if (!interaction) return sendPage(reply.code(410), noSignInPage(companies[company]))
    const given = Object.fromEntries(new URLSearchParams(await bodyOf(request)))
    const { answer } = Answer.catch({ answer: 'fail' }).parse(given)
    if (answer !== 'allow') return finish(request, reply, refusalOf(answer))

    const form = PersonForm.safeParse(given)
    if (!form.success) {
      const trouble = 'Please enter an email address.'
      return sendPage(reply.code(422), pageOf(request, interaction.params, trouble), policy)
    }
    const person = people.add(form.data)
    if (person.fault === 'issuer') mixedUp.add(interaction.uid)
    const grant = new provider.Grant({ accountId: person.subject, clientId: `folio-${company}` })
    grant.addOIDCScope('openid profile email public_profile')
    const grantId = await grant.save()
    return finish(request, reply, { login: { accountId: person.subject, remember: false }, consent: { grantId } })
  })

  function finish(request: FastifyRequest, reply: FastifyReply, result: object) {
    reply.hijack()
    return provider.interactionFinished(request.raw, reply.raw, { ...result }, { mergeWithLastSubmission: false })
  }

  function pageOf(request: FastifyRequest, params: Readonly<Record<string, unknown>>, trouble?: string) {
    const text = (value: unknown) => (typeof value === 'string' ? value : '')
    return signInPage({
      company: companies[company],
      action: request.url,
      scope: text(params.scope),
      hint: text(params.login_hint),
      ...(trouble !== undefined && { trouble }),
    })
  }
}

function refusalOf(answer: 'cancel' | 'fail') {
  return answer === 'cancel'
    ? { error: 'access_denied', error_description: 'The person canceled.' }
    : { error: 'server_error', error_description: 'The provider has a fault.' }
}

async function bodyOf({ raw }: FastifyRequest): Promise<string> {
  let text = ''
  for await (const chunk of raw) text += String(chunk)
  return text
}

/** `/me` of Facebook's Graph API: what was asked for with `fields`, if it may be known. */
function facebookRoutes(app: FastifyInstance, path: string, { provider, people }: StandIn): void {
  app.get<{ Querystring: { fields?: string } }>(`${path}/me`, async (request, reply) => {
    const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const token = await provider.AccessToken.find(bearer)
    const person = token && people.find(token.accountId)
    if (!person) {
      return reply
        .code(400)
        .send({ error: { message: 'Invalid OAuth access token.', type: 'OAuthException', code: 190 } })
    }
    const { sub, name, given_name: firstName, family_name: lastName, email } = people.claims(person)
    const known: Readonly<Record<string, unknown>> = {
      id: sub,
      name,
      first_name: firstName,
      last_name: lastName,
      email,
    }
    const fields = ['id', ...(request.query.fields ?? 'name').split(',')]
    return Object.fromEntries(fields.flatMap((field) => (known[field] === undefined ? [] : [[field, known[field]]])))
  })
}

function overview() {
  return {
    title: 'Login providers',
    standsFor: 'the login providers',
    content: html`
<p class="lead">Each asks who signs in, instead of for a password, and can cancel, fail, or send a wrong token.</p>
<ul class="list">${companyNames.map((name) => html`<li>${companies[name].title}</li>`)}</ul>`,
  }
}
