import type { ProviderName } from '@atrium/contract/login-providers.ts'
import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Deps } from '../../deps.ts'
import { openedPopup } from '../popups/popups.writes.ts'
import { authenticateAgain, changeOnce } from '../popups/proof.writes.ts'
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
  const provider = providerNamed(providers, linking.provider)
  // Whoever has no popup makes no request to a provider.
  await openedPopup(db, popupId, clock())
  // Before the code is used up: a provider that is away costs no second one.
  const start = { ...linking, provider, service: null, method: 'GET' } as const
  const flow = await prepareFlow(deps, start)
  const owner = await authenticateAgain(deps, { popupId, proof, purpose: 'account-link', caller })
  await changeOnce(deps, { popupId, owner }, (tx) => flow.save(tx, owner))
  return flow.redirectUrl
}
