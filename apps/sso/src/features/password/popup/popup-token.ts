import { Problem } from '@atrium/server-kit/problem.ts'
import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'

const Claims = z.object({
  /** The account's id here. */
  sub: z.string().min(1).max(200),
  jti: z.string().min(1).max(200),
  purpose: z.literal('password-reset'),
})

interface Check {
  keys: JWTVerifyGetKey
  issuer: string
  audience: string
  now: Date
}

/** Lifetime of a token in seconds (000 §2.2). */
const tokenSeconds = 60

/** Verifies a token of the account page. @throws Problem `token_refused` */
export async function readPopupToken(token: string, { keys, issuer, audience, now }: Check) {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ['EdDSA'],
      requiredClaims: ['exp', 'iat'],
      maxTokenAge: tokenSeconds,
      currentDate: now,
      // Tolerates a clock skew of a second.
      clockTolerance: 2,
    })
    const { sub, jti } = Claims.parse(payload)
    return { userId: sub, tokenId: jti }
  } catch (error) {
    if (isAboutKeys(error)) throw new Problem('overloaded', { retryAfter: 5 })
    throw new Problem('token_refused')
  }
}

/** Whether the keys could not be fetched, which is not the token's fault. */
function isAboutKeys(error: unknown): boolean {
  if (error instanceof z.ZodError) return false
  return !(error instanceof errors.JOSEError) || ['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'].includes(error.code)
}
