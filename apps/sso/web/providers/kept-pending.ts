import type { ProviderOutcome } from '../../src/provider-wire.ts'

/** An identity that the person is confirming. */
export type PendingOutcome = Extract<ProviderOutcome, { step: 'confirm' }>

const key = 'sso-pending-identity'

/** Keeps what is being confirmed: a phone may unload the page while its owner reads the email with the code. */
export function keepPending(provider: string, outcome: PendingOutcome): void {
  sessionStorage.setItem(key, JSON.stringify({ provider, outcome }))
}

/** What this window is confirming with the provider. The server decides whether it still can. */
export function keptPending(provider: string): PendingOutcome | undefined {
  const kept: { provider: string; outcome: PendingOutcome } | null = JSON.parse(sessionStorage.getItem(key) ?? 'null')
  return kept?.provider === provider ? kept.outcome : undefined
}
