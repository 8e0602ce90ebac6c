export const afterRetriesWords = ['cancel', 'unpaid', 'past_due', 'pause', 'stay_paused'] as const
export type AfterRetries = (typeof afterRetriesWords)[number]

export interface RetrySettings {
  /** Days between the attempts, after the first. */
  retryDays: number[]
  afterRetries: AfterRetries
}

/** Four retries over 21 days, then the subscription is canceled. */
export const defaultRetries: RetrySettings = { retryDays: [3, 5, 7, 6], afterRetries: 'cancel' }

/**
 * When an invoice is tried again.
 * @param attempts so far
 * @param now epoch seconds
 * @returns null if it is not
 */
export function nextAttempt({ retryDays }: RetrySettings, attempts: number, now: number): number | null {
  const days = retryDays[attempts - 1]
  return days === undefined ? null : now + days * 86_400
}
