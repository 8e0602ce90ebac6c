import { z } from 'zod'
import { readAccountToken } from '../../../account-token.ts'
import type { Deps } from '../../../deps.ts'

const Claims = z.object({
  /** The account's id here. */
  sub: z.string().min(1).max(200),
  jti: z.string().min(1).max(200),
  purpose: z.literal('password-reset'),
})

/** Verifies a token of the account page for the popup. @throws Problem `token_refused` */
export async function readPopupToken(deps: Pick<Deps, 'accountKeys' | 'config' | 'clock'>, token: string) {
  const { sub, jti } = await readAccountToken(deps, token, Claims)
  return { userId: sub, tokenId: jti }
}
