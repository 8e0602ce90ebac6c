import type { ProviderName } from '@atrium/contract/login-providers.ts'

interface WaysIn {
  hasPassword: boolean
  identities: readonly { id: string; provider: ProviderName }[]
  /** The providers that are set up: one that is not is no way in. */
  providers: readonly ProviderName[]
}

/** Whether the account can still sign in without an identity. */
export function canSignInWithout(identityId: string, { hasPassword, identities, providers }: WaysIn): boolean {
  return hasPassword || identities.some(({ id, provider }) => id !== identityId && providers.includes(provider))
}
