import { randomInt } from 'node:crypto'

/** Lifetime in seconds (000 specifies none; CAS 3.0 recommends a short one). */
export const ticketSeconds = 30

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 24 characters of base 62 are 142 bits; the whole ticket has at most 32 characters. */
const randomLength = 24

export function newTicket(): string {
  const characters = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)])
  return `ST-${characters.join('')}`
}

/** The kind of a ticket by its form. */
export function kindOfTicket(ticket: string): 'service' | 'proxy' | 'none' {
  if (/^ST-[0-9A-Za-z]{1,29}$/.test(ticket)) return 'service'
  if (/^PT-[0-9A-Za-z-]{1,253}$/.test(ticket)) return 'proxy'
  return 'none'
}
