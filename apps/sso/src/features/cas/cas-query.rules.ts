import { emailFault, emailForm } from '@atrium/contract/email.ts'
import type { TicketMethod } from '../../wire.ts'

/** The query of a request as Fastify parses it: a repeated parameter is a list. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>

/** A parameter that was given once as valid text, otherwise `undefined`. */
export function single(query: RawQuery, name: string): string | undefined {
  const value = query[name]
  return typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0') ? value : undefined
}

/** The address with which a service asks the form to be filled in. It is shown, and proves nothing; anything else is left out. */
export function emailHint(query: RawQuery): string {
  const hint = emailForm(single(query, 'email') ?? '')
  return emailFault(hint) ? '' : hint
}

/** `renew` and `gateway` are set by their presence, but some clients send `false` to leave them unset. */
export function isSet(query: RawQuery, name: string): boolean {
  const value = query[name]
  return value !== undefined && value !== 'false'
}

/** Whether a parameter was given twice, empty or as invalid text. */
export function isMisused(query: RawQuery, name: string): boolean {
  return query[name] !== undefined && single(query, name) === undefined
}

/** How the ticket is sent to the service; an unknown method is the default (CAS 3.0 §2.1.1). */
export function ticketMethod(query: RawQuery): TicketMethod {
  const asked = single(query, 'method')?.toUpperCase()
  return asked === 'POST' || asked === 'HEADER' ? asked : 'GET'
}
