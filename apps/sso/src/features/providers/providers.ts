import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { ProviderSetup } from '../../provider-settings.ts'
import { facebookProvider } from './facebook-provider.ts'
import type { LoginProvider } from './login-provider.ts'
import { openidProvider } from './openid-provider.ts'

export type Providers = ReadonlyMap<ProviderName, LoginProvider>

/** The providers that are set up. */
export function newProviders(setups: readonly ProviderSetup[]): Providers {
  return new Map(
    setups.map((setup) => [setup.name, setup.name === 'facebook' ? facebookProvider(setup) : openidProvider(setup)]),
  )
}

/** @throws Problem `provider_removed` if it is not set up (any more) */
export function providerNamed(providers: Providers, name: ProviderName): LoginProvider {
  const provider = providers.get(name)
  if (!provider) throw new Problem('provider_removed')
  return provider
}

/** Where a provider sends the browser back to; registered there. Each has its own, so that answers cannot be mixed up. */
export function redirectUriOf(ssoUrl: string, name: ProviderName): string {
  return `${ssoUrl}/callback/${name}`
}
