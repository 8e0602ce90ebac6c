import { type CasAnswer, readServiceResponse } from './cas-xml.ts'

/** Redeems a ticket over the back channel, for exactly one service address. Never throws for what the server answers. */
export type ValidateTicket = (ticket: string, service: string) => Promise<CasAnswer>

/** What a service ticket may look like; other CAS servers put their host name in. */
export const serviceTicket = /^ST-[A-Za-z0-9._-]{1,253}$/

const longestAnswer = 64 * 1024
const patience = 10_000

/** Asked at once; a flood of made-up tickets must not become ours. */
const mostAtOnce = 50

/** @param casUrl address of the CAS protocol, `https://sso.example.com/cas` */
export function ticketValidator(casUrl: string): ValidateTicket {
  let asking = 0
  return async (ticket, service) => {
    if (!serviceTicket.test(ticket)) return { failure: 'MALFORMED' }
    if (asking >= mostAtOnce) return { failure: 'BUSY' }

    const url = new URL(`${casUrl}/p3/serviceValidate`)
    url.searchParams.set('service', service)
    url.searchParams.set('ticket', ticket)
    asking += 1
    try {
      const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(patience) })
      const text = await boundedText(response)
      return text === undefined ? { failure: 'TOO_LONG' } : readServiceResponse(text)
    } catch {
      return { failure: 'UNREACHABLE' }
    } finally {
      asking -= 1
    }
  }
}

/** The body, or `undefined` as soon as it grows past what a CAS answer can be. */
async function boundedText(response: Response): Promise<string | undefined> {
  if (!response.ok || !response.body) return undefined
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > longestAnswer) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
