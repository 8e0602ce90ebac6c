import type { RenewalPrompt, RenewalReason } from '@atrium/contract/products.ts'
import type { Tone } from '@atrium/ui/notice.tsx'
import type { TrialOutcome } from '../../page/use-trial-outcome.ts'

/** What is said of a prompt in one line, and what can be done about it. */
export interface PromptLine {
  /** Of the server's prompt. */
  subject: string
  reason: RenewalReason
  tone: Extract<Tone, 'bad' | 'warning' | 'info'>
  title: string
  /** What to do; null: the card is to be replaced. */
  prompt: RenewalPrompt | null
  /** Id of a card that will have expired. */
  cardId?: string
  product: string
  /** What a trial needs of the cards to continue. */
  cardStep: TrialOutcome['step'] | undefined
}

export const tones = {
  past_due: 'bad',
  ended: 'bad',
  ending: 'warning',
  license_ending: 'warning',
  card_expiring: 'warning',
  trial_ending: 'info',
} as const satisfies Record<RenewalReason, Tone>
