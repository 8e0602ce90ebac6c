import { z } from 'zod'
import type { AccountConfig } from '../../config.ts'
import { ProviderFailure, type ProviderFailureKind } from '../provider-failure.ts'

interface PaypalRequest {
  method: 'GET' | 'POST' | 'PATCH'
  /** With its version: `/v1/billing/plans`. */
  path: string
  query?: Readonly<Record<string, string>>
  body?: object
  /** `PayPal-Request-Id`: the same answer for the same id, so that it may be sent again. */
  requestId?: string
}

/** Calls PayPal. @throws ProviderFailure */
export type CallPaypal = <Answer>(request: PaypalRequest, schema: z.ZodType<Answer>) => Promise<Answer>

type Config = Pick<AccountConfig, 'PAYPAL_API_URL' | 'PAYPAL_CLIENT_ID' | 'PAYPAL_CLIENT_SECRET'>

/** PayPal's own answer. */
interface Reply {
  status: number
  body: unknown
}

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number() })

/** Seconds before its end at which an access token is replaced. */
const tokenReserve = 120

/** Milliseconds of a whole call. */
const callMs = 14_000

/**
 * PayPal's REST API over `fetch`: its official SDK has fixed addresses and no webhooks. A request without an answer is sent once
 * more if that is safe: a read, or one with a request id. Follows no redirect.
 * @param timeout milliseconds of one try
 */
export function paypalClient(config: Config, { timeout = 6500 } = {}): CallPaypal {
  let access: { token: string; until: number } | undefined

  /** @returns undefined without an answer, or with one that is not PayPal's */
  async function send(path: string, init: RequestInit, deadline: AbortSignal): Promise<Reply | undefined> {
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(timeout)])
    try {
      const response = await fetch(`${config.PAYPAL_API_URL}${path}`, { ...init, redirect: 'error', signal })
      return ownReply(response.status, await response.text())
    } catch {
      return undefined
    }
  }

  async function accessToken(deadline: AbortSignal): Promise<string> {
    if (access && access.until > Date.now()) return access.token
    const credentials = Buffer.from(`${config.PAYPAL_CLIENT_ID}:${config.PAYPAL_CLIENT_SECRET}`).toString('base64')
    const headers = { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await send('/v1/oauth2/token', { method: 'POST', headers, body: grant }, deadline)
    const given = Token.safeParse(reply?.body)
    // Nothing was asked for yet.
    if (!given.success) throw failureOf('unavailable', reply)
    const { access_token: token, expires_in: seconds } = given.data
    access = { token, until: Date.now() + (seconds - tokenReserve) * 1000 }
    return token
  }

  async function attempt(request: PaypalRequest, deadline: AbortSignal): Promise<Reply | undefined> {
    const { method, path, query, body, requestId } = request
    const headers = {
      authorization: `Bearer ${await accessToken(deadline)}`,
      'content-type': 'application/json',
      prefer: 'return=representation',
      ...(requestId !== undefined && { 'paypal-request-id': requestId }),
    }
    const address = query ? `${path}?${new URLSearchParams({ ...query })}` : path
    const init = { method, headers, ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }) }
    return send(address, init, deadline)
  }

  return async (request, schema) => {
    const begunAt = performance.now()
    const deadline = AbortSignal.timeout(callMs)
    let reply = await attempt(request, deadline)
    if (reply?.status === 401) {
      access = undefined
      reply = await attempt(request, deadline)
    }
    const isLost = isUnknown(reply)
    const isRepeatable = request.method === 'GET' || request.requestId !== undefined
    // A process that stood still must not send it long after it was decided.
    const isInTime = performance.now() - begunAt < callMs && !deadline.aborted
    // Whatever the second try meets, the first one may have been executed.
    if (isLost && isRepeatable && isInTime) reply = (await attempt(request, deadline).catch(() => undefined)) ?? reply
    return answerOf(reply, isLost, schema)
  }
}

const grant = 'grant_type=client_credentials'

function isUnknown(reply: Reply | undefined): boolean {
  return reply === undefined || reply.status >= 500 || reply.status === 409
}

function answerOf<Answer>(reply: Reply | undefined, isRetried: boolean, schema: z.ZodType<Answer>): Answer {
  if (reply === undefined || reply.status >= 300) throw failureOf(kindOf(reply, isRetried), reply)
  const answer = schema.safeParse(reply.body)
  if (answer.success) return answer.data
  throw failureOf('unknown', reply)
}

/** Objects of PayPal's refusals have a `name`, those of its authorization an `error`. */
const Refusal = z.object({
  name: z.string().optional(),
  error: z.string().optional(),
  message: z.string().default(''),
  details: z.array(z.object({ issue: z.string().default(''), description: z.string().default('') })).default([]),
})

/** What a gateway or a firewall in between answers is not PayPal's: neither a success nor a refusal. */
function ownReply(status: number, text: string): Reply | undefined {
  if (status === 204) return { status, body: {} }
  const body = parsed(text)
  if (status < 300) return typeof body === 'object' && body !== null ? { status, body } : undefined
  const refusal = Refusal.safeParse(body)
  return refusal.success && (refusal.data.name ?? refusal.data.error) !== undefined ? { status, body } : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function kindOf(reply: Reply | undefined, isRetried: boolean): ProviderFailureKind {
  if (reply === undefined || isUnknown(reply)) return 'unknown'
  const { status } = reply
  if (status === 404) return 'missing'
  // The answer to a second try: the first one may have been executed.
  if (status === 401 || status === 403 || status === 429) return isRetried ? 'unknown' : 'unavailable'
  const issue = issueOf(reply)
  if (issue === 'INSTRUMENT_DECLINED') return 'refused'
  return issue === 'PAYER_ACTION_REQUIRED' ? 'action_required' : 'invalid'
}

function issueOf(reply: Reply | undefined): string {
  const refusal = Refusal.safeParse(reply?.body)
  if (!refusal.success) return ''
  return refusal.data.details[0]?.issue || refusal.data.name || refusal.data.error || ''
}

function failureOf(kind: ProviderFailureKind, reply: Reply | undefined): ProviderFailure {
  const code = issueOf(reply)
  const refusal = Refusal.safeParse(reply?.body)
  const message = refusal.success ? refusal.data.details[0]?.description || refusal.data.message : ''
  return new ProviderFailure(kind, new Error(message || `no answer of PayPal (${reply?.status ?? 'none'})`), { code })
}
