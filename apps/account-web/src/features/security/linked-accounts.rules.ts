import type { LinkedAccount, LinkedAccounts } from '@atrium/contract/linked-accounts.ts'
import type { ProviderName } from '@atrium/contract/login-providers.ts'

export interface LinkRow {
  key: string
  provider: ProviderName
  /** Absent: the provider can be linked. */
  account: LinkedAccount | undefined
}

/** What is linked, then what can be. */
export function linkRows({ providers, accounts }: LinkedAccounts): LinkRow[] {
  const linked = accounts.map((account) => ({ key: account.id, provider: account.provider, account }))
  const free = providers.filter((provider) => !accounts.some((account) => account.provider === provider))
  return [...linked, ...free.map((provider) => ({ key: provider, provider, account: undefined }))]
}
