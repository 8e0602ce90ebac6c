import type { ProviderName } from '@atrium/contract/login-providers.ts'

/** What signs in to an account. */
export type WayIn = ProviderName | 'password'
