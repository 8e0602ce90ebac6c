import { type CasFailure, failureOf } from './cas-failure.ts'
import { type CasAnswer, readServiceResponse } from './cas-xml.ts'

/** Redeems a ticket over the back channel, for exactly one service address. Never throws because of the server's answer. */
export type ValidateTicket = (ticket: string, service: string, options?: ValidationOptions) => Promise<CasAnswer>

interface ValidationOptions {
  /** Accepts only a ticket for which the person has just entered their password, not one from a session. */
  renew?: boolean
}

/** The form of a service ticket; other CAS servers include their host name. */
export const serviceTicket = /^ST-[A-Za-z0-9._-]{1,253}$/

const longestAnswer = 64 * 1024
const timeoutMs = 10_000

/** Bounds our requests to the single sign-on during a flood of forged tickets. */
const concurrency = 50

/** @param casUrl address of the CAS protocol, `https://sso.example.com/cas` */
export function ticketValidator(casUrl: string): ValidateTicket {
  let inFlight = 0
  return async (ticket, service, { renew = false } = {}) => {
    if (!serviceTicket.test(ticket)) return { failure: 'malformed', detail: 'not a service ticket' }
    if (inFlight >= concurrency) return { failure: 'busy', detail: `${concurrency} validations in flight` }

    const url = new URL(`${casUrl}/p3/serviceValidate`)
    url.searchParams.set('service', service)
    url.searchParams.set('ticket', ticket)
    if (renew) url.searchParams.set('renew', 'true')
    inFlight += 1
    try {
      return await validate(url)
    } catch (error) {
      return failureOf(error)
    } finally {
      inFlight -= 1
    }
  }
}

async function validate(url: URL): Promise<CasAnswer> {
  // Not followed: the ticket is for this server only.
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) {
    await response.body?.cancel()
    return { failure: 'status', detail: String(response.status) }
  }
  const text = await boundedText(response)
  return typeof text === 'string' ? readServiceResponse(text) : text
}

/** The body, or a failure as soon as it exceeds the size of any CAS answer. */
export async function boundedText({ body }: Response): Promise<string | CasFailure> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > longestAnswer) return { failure: 'too_long', detail: `more than ${longestAnswer} bytes` }
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
