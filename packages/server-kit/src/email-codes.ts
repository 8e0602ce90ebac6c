import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** Of a six-digit code by email: milliseconds of its life, milliseconds between two, and how often it may be guessed. */
export const codeLimits = { lifeMs: 600_000, pauseMs: 30_000, tries: 5 } as const

/** Six random digits. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Seconds until another code may be sent; 0: now. */
export function secondsToNextCode(lastSentAt: Date | undefined, now: Date): number {
  const wait = lastSentAt ? lastSentAt.getTime() + codeLimits.pauseMs - now.getTime() : 0
  return Math.max(0, Math.ceil(wait / 1000))
}

/** Whether a code may still be compared; read it under its row's lock, and count each guess there. */
export function isCodeUsable({ triesLeft, expiresAt }: { triesLeft: number; expiresAt: Date }, now: Date): boolean {
  return triesLeft > 0 && expiresAt > now
}

const derive = promisify<string, Buffer, number, Buffer>(scrypt)

/** A slow, salted hash: a million codes would be tried in no time with a fast one. */
export async function hashOfCode(code: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(code, salt, 32)
  return `${salt.toString('base64url')}.${hash.toString('base64url')}`
}

/** Compares in constant time. */
export async function isCode(code: string, stored: string): Promise<boolean> {
  const [salt = '', hash = ''] = stored.split('.')
  const expected = Buffer.from(hash, 'base64url')
  const given = await derive(code, Buffer.from(salt, 'base64url'), 32)
  return expected.length === given.length && timingSafeEqual(given, expected)
}
