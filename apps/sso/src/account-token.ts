import { Problem } from '@atrium/server-kit/problem.ts'
import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Deps } from './deps.ts'

/** Lifetime of a token in seconds (000 §2.2). */
const tokenSeconds = 60

/**
 * Verifies a token that the account page signed for us, and returns its claims.
 * @throws Problem `token_refused`; `overloaded` if the keys could not be fetched
 */
export async function readAccountToken<Claims>(
  { accountKeys, config, clock }: Pick<Deps, 'accountKeys' | 'config' | 'clock'>,
  token: string,
  claims: z.ZodType<Claims>,
): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, accountKeys, {
      issuer: config.ACCOUNT_URL,
      audience: config.SSO_URL,
      algorithms: ['EdDSA'],
      requiredClaims: ['exp', 'iat'],
      maxTokenAge: tokenSeconds,
      currentDate: clock(),
      // Tolerates a clock skew of a second.
      clockTolerance: 2,
    })
    return claims.parse(payload)
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
