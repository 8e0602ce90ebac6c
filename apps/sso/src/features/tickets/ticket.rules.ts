import { randomInt } from 'node:crypto'

/** Seconds between issuing and validating (000 names none; CAS 3.0 recommends a short one). */
export const ticketSeconds = 30

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 24 characters of base 62 carry 142 bits; the whole ticket stays within 32 characters. */
const randomLength = 24

export function newTicket(): string {
  const characters = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)])
  return `ST-${characters.join('')}`
}

/** What a ticket is by its form alone. */
export function kindOfTicket(ticket: string): 'service' | 'proxy' | 'none' {
  if (/^ST-[0-9A-Za-z]{1,29}$/.test(ticket)) return 'service'
  if (/^PT-[0-9A-Za-z-]{1,253}$/.test(ticket)) return 'proxy'
  return 'none'
}
