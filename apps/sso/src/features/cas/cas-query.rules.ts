import type { TicketMethod } from '../../wire.ts'

/** The query of a request as Fastify parses it: a parameter that is repeated is a list. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>

/** A parameter that was given once and is no broken text; nothing otherwise. */
export function single(query: RawQuery, name: string): string | undefined {
  const value = query[name]
  return typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0') ? value : undefined
}

/** `renew` and `gateway` are set by being there; `false` is what some clients write when they mean otherwise. */
export function isSet(query: RawQuery, name: string): boolean {
  const value = query[name]
  return value !== undefined && value !== 'false'
}

/** A parameter that was given, but twice, empty or as broken text. */
export function isMisused(query: RawQuery, name: string): boolean {
  return query[name] !== undefined && single(query, name) === undefined
}

/** How the ticket is to travel; anything unknown is the usual way (CAS 3.0 §2.1.1). */
export function ticketMethod(query: RawQuery): TicketMethod {
  const asked = single(query, 'method')?.toUpperCase()
  return asked === 'POST' || asked === 'HEADER' ? asked : 'GET'
}
