import type { ProviderName } from '@atrium/contract/login-providers.ts'
import type { Visitor } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { credentialOfUser, lockUser } from '../accounts/accounts.queries.ts'
import { popupOwner, usePopupOnce } from '../popups/popups.writes.ts'
import { authenticateAgain } from '../popups/proof.writes.ts'
import { prepareFlow } from './flows.writes.ts'
import { providerNamed } from './providers.ts'

interface Linking {
  popupId: string
  provider: ProviderName
  /** The password, or the emailed code of an account without one. */
  proof: string
  browser: string
  locale: string
  caller: Visitor
}

/**
 * Authenticates the owner of the popup again, and begins to link a provider. @returns the address at the provider
 * @throws Problem `popup_expired`, `wrong_current_password`, `wrong_code`, `code_spent`, `provider_removed`, `provider_unreachable`
 */
export async function startLinking(deps: Deps, { popupId, proof, caller, ...linking }: Linking): Promise<string> {
  const { db, clock, providers } = deps
  const purpose = 'account-link'
  const userId = await popupOwner(db, { popupId, purpose }, clock())
  const provider = providerNamed(providers, linking.provider)
  // Before the code is used up: a provider that is away costs no second one.
  const start = { ...linking, provider, service: null, method: 'GET', renew: false } as const
  const flow = await prepareFlow(deps, start)
  const compared = await authenticateAgain(deps, { userId, proof, purpose, caller })

  await db.transaction(async (tx) => {
    await lockUser(tx, userId)
    const current = await credentialOfUser(tx, userId)
    if (current?.passwordHash !== compared) throw new Problem('popup_expired')
    await usePopupOnce(tx, popupId)
    await flow.save(tx, { userId, passwordHash: compared })
  })
  return flow.redirectUrl
}
