import type { DeclineReason } from '@atrium/contract/declines.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Decline } from '../../outside/provider-failure.ts'
import type { OperationRow } from './operations/operations.tables.ts'

/**
 * What the provider's codes mean for the customer. A hint at fraud is the bank's to explain, or stays `unknown`: who tries somebody else's
 * card learns nothing.
 */
const reasons: ReadonlyMap<string, DeclineReason> = new Map([
  ['insufficient_funds', 'insufficient_funds'],
  ['expired_card', 'expired_card'],
  ['incorrect_cvc', 'incorrect_cvc'],
  ['invalid_cvc', 'incorrect_cvc'],
  ['approve_with_id', 'bank_declined'],
  ['call_issuer', 'bank_declined'],
  ['card_not_supported', 'bank_declined'],
  ['card_velocity_exceeded', 'bank_declined'],
  ['currency_not_supported', 'bank_declined'],
  ['do_not_honor', 'bank_declined'],
  ['do_not_try_again', 'bank_declined'],
  ['invalid_account', 'bank_declined'],
  ['lost_card', 'bank_declined'],
  ['no_action_taken', 'bank_declined'],
  ['not_permitted', 'bank_declined'],
  ['pickup_card', 'bank_declined'],
  ['restricted_card', 'bank_declined'],
  ['security_violation', 'bank_declined'],
  ['service_not_allowed', 'bank_declined'],
  ['stolen_card', 'bank_declined'],
  ['transaction_not_allowed', 'bank_declined'],
  ['withdrawal_count_limit_exceeded', 'bank_declined'],
  ['authentication_required', 'authentication_failed'],
  ['authentication_not_handled', 'authentication_failed'],
  ['payment_intent_authentication_failure', 'authentication_failed'],
  ['setup_intent_authentication_failure', 'authentication_failed'],
  ['issuer_not_available', 'processing_error'],
  ['processing_error', 'processing_error'],
  ['reenter_transaction', 'processing_error'],
  ['try_again_later', 'processing_error'],
])

/** @param declineCode the provider's; null or empty: it gives none */
export function declineReason(declineCode: string | null): DeclineReason {
  return reasons.get(declineCode ?? '') ?? 'unknown'
}

/** The outcome of an operation whose card was declined. */
export function declined({ sentence, declineCode }: Decline) {
  return {
    status: 'failed',
    problem: 'card_refused',
    ...(sentence && { detail: sentence }),
    ...(declineCode && { declineCode }),
  } as const
}

/** Why a failed operation failed, for the customer. @param reasonOf what they may know of a decline */
export function problemOf(
  { detail, declineCode }: Pick<OperationRow, 'detail' | 'declineCode'>,
  code: string,
  reasonOf = declineReason,
): Problem {
  const data = code === 'card_refused' && { data: { reason: reasonOf(declineCode) } }
  return new Problem(code, { ...(detail && { detail }), ...data })
}
