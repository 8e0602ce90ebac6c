import { randomUUID } from 'node:crypto'
import { type CryptoKey, SignJWT } from 'jose'

interface Issuer {
  issuer: string
  audience: string
  clock: () => Date
}

/** Tokens of the reset-password popup as the account page signs them, or with a fault. */
export function popupTokens(key: CryptoKey, { issuer, audience, clock }: Issuer) {
  return (userId: string, wrong: { key?: CryptoKey; claims?: Record<string, unknown> } = {}): Promise<string> => {
    const issuedAt = Math.floor(clock().getTime() / 1000)
    const claims = {
      iss: issuer,
      aud: audience,
      sub: userId,
      jti: randomUUID(),
      purpose: 'password-reset',
      iat: issuedAt,
      exp: issuedAt + 60,
      ...wrong.claims,
    }
    return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid: 'test' }).sign(wrong.key ?? key)
  }
}
