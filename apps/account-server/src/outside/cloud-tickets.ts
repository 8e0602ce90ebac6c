import { requestCloudTicket } from '@atrium/contract/cloud-tickets.ts'
import { z } from 'zod'
import type { AccountConfig } from '../config.ts'
import { boundedText, serviceTicket } from './cas.ts'
import { type CasFailure, failureOf } from './cas-failure.ts'

/** Fetches a ticket for a cloud service with a signed request. Never throws because of the single sign-on's answer. */
export type FetchCloudTicket = (request: string) => Promise<{ ticket: string } | CasFailure>

const concurrency = 50

const Answer = z.object({ ticket: z.string().regex(serviceTicket) })
const Refusal = z.object({ code: z.string().max(64) })

/** @param timeoutMs short, since somebody is looking at an empty window meanwhile */
export function cloudTicketFetcher({ SSO_URL }: Pick<AccountConfig, 'SSO_URL'>, timeoutMs = 5000): FetchCloudTicket {
  let inFlight = 0
  return async (request) => {
    if (inFlight >= concurrency) return { failure: 'busy', detail: `${concurrency} requests in flight` }
    inFlight += 1
    try {
      const response = await fetch(`${SSO_URL}${requestCloudTicket.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ request }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      return await ticketIn(response)
    } catch (error) {
      return failureOf(error)
    } finally {
      inFlight -= 1
    }
  }
}

async function ticketIn(response: Response): Promise<{ ticket: string } | CasFailure> {
  const text = await boundedText(response)
  if (typeof text !== 'string') return text

  const body = parsedJson(text)
  if (!response.ok) {
    const refusal = Refusal.safeParse(body)
    const isRefused = refusal.success && response.status < 500
    return isRefused
      ? { failure: 'refused', detail: refusal.data.code }
      : { failure: 'status', detail: String(response.status) }
  }
  const answer = Answer.safeParse(body)
  return answer.success ? answer.data : { failure: 'malformed', detail: 'not a ticket' }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
