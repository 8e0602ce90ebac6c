import { CallProblem } from '@atrium/ui/call-problem.ts'
import type { ProviderOutcome } from '../../src/provider-wire.ts'
import type { PageOf } from '../../src/wire.ts'

export type ReturnPage = PageOf<'provider-return'>

/** An identity that the person is confirming. */
export type PendingOutcome = Extract<ProviderOutcome, { step: 'confirm' }>

/** A return from a provider: its page as the server sent it with the answer, and what came of it so far. */
export interface KeptReturn {
  page: ReturnPage
  outcome?: Exclude<ProviderOutcome, { step: 'signed-in' }>
  problem?: unknown
  /** How far the person has come in confirming the identity. */
  progress?: Progress
}

export interface Progress {
  /** Chosen instead of the one that was offered. */
  way?: 'code' | 'password'
  /** The address that the latest code was sent to: a code is good for no other. */
  codeEmail?: string
  /** Whether that code no longer works. */
  isCodeSpent?: boolean
}

interface Stored extends KeptReturn {
  refusal?: { code: string; status: number }
}

const key = 'sso-provider-return'

/**
 * Keeps a return in this window: a reload, another language, or a phone that unloads the page while its owner reads the email with
 * the code would lose it, since the answer is out of the address and good for one call.
 */
export function keepReturn({ problem, ...kept }: KeptReturn): void {
  const refusal = problem instanceof CallProblem ? { refusal: { code: problem.code, status: problem.status } } : {}
  sessionStorage.setItem(key, JSON.stringify({ ...kept, ...refusal }))
}

/** The person left the page: a reload does not show it again. */
export function forgetReturn(): void {
  sessionStorage.removeItem(key)
}

/** What this window has last returned with from the provider. The server decides whether it still counts. */
export function keptReturn(provider: string): KeptReturn | undefined {
  const stored: Stored | null = JSON.parse(sessionStorage.getItem(key) ?? 'null')
  if (stored?.page.provider !== provider) return undefined
  const { refusal, ...kept } = stored
  return refusal ? { ...kept, problem: new CallProblem(refusal.code, refusal) } : kept
}
