import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { paypalTokens } from '../store/paypal.tables.ts'
import { answerFailure } from '../wire/api.ts'
import type { PaypalDeps } from '../wire/call.ts'
import { newDebugId } from '../wire/ids.rules.ts'
import { OAuthRefusal, Refusal } from '../wire/refusal.ts'

/** Nine hours, as PayPal's tokens live. */
const lifeSeconds = 32_400

const scope = [
  'https://uri.paypal.com/services/checkout',
  'https://uri.paypal.com/services/payments/payment',
  'https://uri.paypal.com/services/payments/refund',
  'https://uri.paypal.com/services/subscriptions',
  'https://uri.paypal.com/services/applications/webhooks',
  'https://api.paypal.com/v1/payments/.*',
].join(' ')

/** Exchanges a client's credentials for an access token (OAuth 2.0, section 4.4). */
export function accessRoutes(app: FastifyInstance, { db }: PaypalDeps): void {
  app.register(async (forms) => {
    forms.setErrorHandler(answerFailure)
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

    forms.post('/v1/oauth2/token', { config: { rateLimit: false } }, async (request, reply) => {
      const isBrowser = isBrowserOf(request)
      if (!isBrowser) refuseUnknownClient(request)
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
      if (form.get('grant_type') !== 'client_credentials') {
        throw new OAuthRefusal(400, 'unsupported_grant_type', 'The grant type is not supported.')
      }
      const token = `${isBrowser ? browserPrefix : 'A21AA'}${randomBytes(60).toString('base64url')}`
      await db.insert(paypalTokens).values({ token, expiresAt: new Date(Date.now() + lifeSeconds * 1000) })
      reply.header('paypal-debug-id', newDebugId())
      return {
        scope,
        access_token: token,
        token_type: 'Bearer',
        app_id: 'APP-SANDBOX',
        expires_in: lifeSeconds,
        nonce: `${new Date().toISOString()}${randomBytes(16).toString('base64url')}`,
      }
    })
  })
}

/** Of the tokens that anybody gets with the client's public id. */
const browserPrefix = 'A21BR'

/** What the browser SDK does with such a token: everything in these bodies is the buyer's word. */
const browserCalls = /^\/v1\/billing\/subscriptions(\/[\w-]+\/revise)?$/

/** The browser SDK signs in with the client's public id, and no secret. */
function isBrowserOf(request: FastifyRequest): boolean {
  const [id, secret] = credentialsOf(request)
  return isClientId(id) && secret === ''
}

function credentialsOf({ headers }: FastifyRequest): [id: string, secret: string | undefined] {
  const [, encoded = ''] = /^Basic\s+(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const [id = '', secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return [id, secret]
}

/**
 * A client id begins with `client_`, its secret is the rest of the id after `secret_`: all are the same account.
 * @throws OAuthRefusal 401
 */
function refuseUnknownClient(request: FastifyRequest): void {
  const [id, secret = ''] = credentialsOf(request)
  const wanted = Buffer.from(id.replace(/^client_/, 'secret_'))
  const given = Buffer.from(secret)
  const isKnown = isClientId(id) && given.length === wanted.length && timingSafeEqual(given, wanted)
  if (!isKnown) throw new OAuthRefusal(401, 'invalid_client', 'Client Authentication failed')
}

export function isClientId(id: string): boolean {
  return /^client_[\w-]{1,80}$/.test(id)
}

/** Tokens that a request had before: nothing changes or takes back one. */
const known = new WeakMap<Db, Map<string, Date>>()

async function expiryOf(db: Db, token: string): Promise<Date | undefined> {
  const ofDb = known.get(db) ?? new Map<string, Date>()
  known.set(db, ofDb)
  const before = ofDb.get(token)
  if (before || !/^[\w-]+$/.test(token)) return before
  const [found] = await db.select().from(paypalTokens).where(eq(paypalTokens.token, token))
  if (found) ofDb.set(token, found.expiresAt)
  return found?.expiresAt
}

/** @throws Refusal 401 for a missing, unknown or expired token, 403 for what a browser may not do */
export async function refuseStrangers({ db }: PaypalDeps, request: FastifyRequest): Promise<void> {
  const [, token] = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined) {
    throw new Refusal(401, {
      name: 'AUTHENTICATION_FAILURE',
      message: 'Authentication failed due to missing authorization header, or invalid authentication credentials.',
    })
  }
  const expiresAt = await expiryOf(db, token)
  if (!expiresAt) throw new OAuthRefusal(401, 'invalid_token', 'Token signature verification failed')
  if (expiresAt <= new Date()) throw new OAuthRefusal(401, 'invalid_token', 'The token has expired')
  const [path = ''] = request.url.split('?')
  if (token.startsWith(browserPrefix) && !(request.method === 'POST' && browserCalls.test(path))) {
    throw new Refusal(403, {
      name: 'NOT_AUTHORIZED',
      message: 'Authorization failed due to insufficient permissions.',
    })
  }
}
