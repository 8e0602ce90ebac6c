import { AsyncLocalStorage } from 'node:async_hooks'
import Stripe from 'stripe'
import {
  type Decline,
  noDecline,
  otherCurrency,
  ProviderFailure,
  type ProviderFailureKind,
} from '../provider-failure.ts'

interface CallInProgress {
  /** How often the SDK has sent it: it retries by itself after a lost answer. */
  sent: number
  begunAt: number
}

const requests = new AsyncLocalStorage<CallInProgress>()

/** Milliseconds beyond the time limit of the first try after which a process that stood still must not send the second one. */
const retryPauseMs = 1000

/**
 * The SDK's HTTP client, counting what it sends for a call. Over `fetch`, whose time limit covers the whole request: in the client
 * over Node's `http` it begins when the connection is there, and anew with each byte. Follows no redirect.
 * @param timeout milliseconds of one try
 */
export function countingHttpClient(timeout: number) {
  return Stripe.createFetchHttpClient(async (url: string | URL | Request, init?: RequestInit) => {
    const call = requests.getStore()
    if (call && call.sent > 0 && performance.now() - call.begunAt > timeout + retryPauseMs) throw new Error('too late')
    if (call) call.sent += 1
    return ownAnswer(await fetch(url, { ...init, redirect: 'error' }))
  })
}

/**
 * The provider's answer. What a gateway or a firewall in between answers is replaced by something that is not JSON, which the SDK
 * reports as an error: it would take `{"message": "Forbidden"}` for a success, and a mere string would end the program.
 */
async function ownAnswer(response: Response): Promise<Response> {
  const { ok, status, headers } = response
  const text = await response.text()
  return new Response(isOwn(text, ok) ? text : 'not an answer of the provider', { status, headers })
}

/** Objects of the provider have a type (`object`), and its refusals an `error` with one; a gateway's `error` has none. */
function isOwn(text: string, isOk: boolean): boolean {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer !== 'object' || answer === null) return false
    return isOk ? 'object' in answer : 'error' in answer && hasType(answer.error)
  } catch {
    return false
  }
}

function hasType(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'type' in error && typeof error.type === 'string'
}

/**
 * Awaits a call of the provider's SDK and turns its errors into a `ProviderFailure`; any other error is a bug.
 * @param answerIn the answer that an error of the SDK carries
 */
export async function callProvider<Answer>(
  call: () => Promise<Answer>,
  answerIn: (error: Stripe.errors.StripeError) => Answer | undefined = () => undefined,
): Promise<Answer> {
  const count = { sent: 0, begunAt: performance.now() }
  try {
    return await requests.run(count, call)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const answer = answerIn(error)
    if (answer !== undefined) return answer
    throw failureOf(error, count.sent > 1)
  }
}

function failureOf(error: Stripe.errors.StripeError, isRetried: boolean): ProviderFailure {
  const code = isOtherCurrency(error) ? otherCurrency : (error.code ?? error.type)
  const kind = kindOf(error)
  // "Too many requests" is the answer to the retry: the first request may have been executed.
  return new ProviderFailure(kind === 'unavailable' && isRetried ? 'unknown' : kind, error, {
    code,
    ...(error instanceof Stripe.errors.StripeCardError && declineFrom(error)),
    isStored: error instanceof Stripe.errors.StripeAPIError && error.rawType === 'api_error',
  })
}

/**
 * Whether the customer is billed in another currency already. The provider refuses that without a code, so its sentence decides; the
 * rest of it differs between its versions.
 */
function isOtherCurrency({ type, code, message }: Stripe.errors.StripeError): boolean {
  return type === 'StripeInvalidRequestError' && code === undefined && /^You cannot combine currencies\b/.test(message)
}

function kindOf(error: Stripe.errors.StripeError): ProviderFailureKind {
  const { errors } = Stripe
  if (error instanceof errors.StripeCardError) {
    return error.code === 'authentication_required' ? 'action_required' : 'refused'
  }
  if (error instanceof errors.StripeRateLimitError) return 'unavailable'
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError) {
    return 'unavailable'
  }
  if (!(error instanceof errors.StripeInvalidRequestError)) return 'unknown'
  return error.code === 'resource_missing' ? 'missing' : 'invalid'
}

interface Refusal {
  code?: string | undefined
  decline_code?: string | undefined
  message?: string
}

/** What the provider says of a declined card, in an error of a call or as the last one of an intent. */
export function declineFrom(refusal: Refusal | null | undefined): Decline {
  if (!refusal) return noDecline
  const { code = '', decline_code: declineCode = code, message: sentence = '' } = refusal
  return { sentence, declineCode }
}
