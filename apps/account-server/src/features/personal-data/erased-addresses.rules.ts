import { createHmac } from 'node:crypto'

/** By which an erased address is recognized: without the secret nobody can find out which addresses were erased by trying them. */
export function addressHash(secret: string, email: string): string {
  return keyedHash(secret, `address:${email.trim().toLowerCase()}`)
}

/** Names a secret without revealing it: a hash under another secret would match nothing, and nobody would notice. */
export function secretIdOf(secret: string): string {
  return keyedHash(secret, 'secret').slice(0, 16)
}

function keyedHash(secret: string, value: string): string {
  return createHmac('sha256', secret).update(value).digest('hex')
}
