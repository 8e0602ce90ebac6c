import { z } from 'zod'
import { readAccountToken } from '../../account-token.ts'
import type { Deps } from '../../deps.ts'
import type { PopupPurpose } from '../../popup-wire.ts'

type TokenPurpose = PopupPurpose | 'linked-accounts' | 'sessions' | 'end-sessions' | 'activity' | 'account-data'

/**
 * Verifies a token that the account page signed for one of its members, for this purpose.
 * @throws Problem `token_refused`, `overloaded`
 */
export async function readUserToken(
  deps: Pick<Deps, 'accountKeys' | 'config' | 'clock'>,
  token: string,
  purpose: TokenPurpose,
): Promise<{ userId: string; tokenId: string }> {
  const { sub, jti } = await readAccountToken(deps, token, claimsFor(purpose))
  return { userId: sub, tokenId: jti }
}

function claimsFor(purpose: TokenPurpose) {
  return z.object({
    /** The account's id here. */
    sub: z.string().min(1).max(200),
    jti: z.string().min(1).max(200),
    purpose: z.literal(purpose),
  })
}
