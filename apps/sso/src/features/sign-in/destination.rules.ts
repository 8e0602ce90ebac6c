import type { SsoConfig } from '../../config.ts'
import type { Destination, TicketMethod } from '../../wire.ts'
import { ticketService, withTicket } from '../cas/service-url.rules.ts'

interface Way {
  /** A registered service, exactly as requested; null: the account page. */
  service: string | null
  method: TicketMethod
  ticket: string | undefined
}

/** Where a signed-in browser goes. */
export function destinationOf(config: SsoConfig, { service, method, ticket }: Way): Destination {
  const registered = ticketService(service, config)
  if (!registered || !ticket) return { redirectUrl: `${config.ACCOUNT_URL}/account`, ticket: null }
  if (method === 'POST') return { redirectUrl: registered.url.href, ticket }
  return { redirectUrl: withTicket(registered, ticket), ticket: null }
}
