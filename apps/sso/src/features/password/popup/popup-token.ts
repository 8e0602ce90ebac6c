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

/** Seconds that a token lives (000 §2.2). */
const tokenSeconds = 60

/** What the account page's token says. @throws Problem `token_refused` for any that is not wholly as agreed. */
export async function readPopupToken(token: string, { keys, issuer, audience, now }: Check) {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ['EdDSA'],
      requiredClaims: ['exp', 'iat'],
      maxTokenAge: tokenSeconds,
      currentDate: now,
      // Two machines' clocks; a second more changes nothing.
      clockTolerance: 2,
    })
    const { sub, jti } = Claims.parse(payload)
    return { userId: sub, tokenId: jti }
  } catch (error) {
    if (isAboutKeys(error)) throw new Problem('overloaded', { retryAfter: 5 })
    throw new Problem('token_refused')
  }
}

/** Keys that cannot be fetched just now are no fault of the token's. */
function isAboutKeys(error: unknown): boolean {
  if (error instanceof z.ZodError) return false
  return !(error instanceof errors.JOSEError) || ['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'].includes(error.code)
}
