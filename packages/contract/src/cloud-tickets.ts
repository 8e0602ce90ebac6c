import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/**
 * Between account-server and sso, never called by a browser: a ticket with which a cloud service signs in the person whose
 * single sign-on session is named (001 §2, "Regions and login").
 */
export const requestCloudTicket = endpoint({
  method: 'POST',
  path: '/sso/cloud-tickets/',
  summary: 'Issue a one-time ticket for a cloud service',
  access: 'device',
  body: z.object({
    /**
     * A JWT of account-server, valid for 60 seconds: `purpose` is `cloud-ticket`, `sub` the SHA-256 (hex) of the ticket that began the
     * member's session at the account page, `service` the exact address of a registered cloud service.
     */
    request: z.string().min(1).max(4096),
  }),
  /** Valid for 30 seconds and for one validation. */
  reply: z.object({ ticket: z.string().max(256) }),
  problems: { token_refused: 403, service_refused: 403, session_ended: 410 },
})
