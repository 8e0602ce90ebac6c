import { declineReasons } from '@atrium/contract/declines.ts'
import { locales } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { expect, test } from 'vitest'
import { declineReason } from './declines.rules.ts'

test.each([
  ['insufficient_funds', 'insufficient_funds'],
  ['expired_card', 'expired_card'],
  ['incorrect_cvc', 'incorrect_cvc'],
  ['lost_card', 'bank_declined'],
  ['stolen_card', 'bank_declined'],
  ['do_not_honor', 'bank_declined'],
  ['payment_intent_authentication_failure', 'authentication_failed'],
  ['try_again_later', 'processing_error'],
  ['fraudulent', 'unknown'],
  ['generic_decline', 'unknown'],
  ['a_code_of_next_year', 'unknown'],
  [null, 'unknown'],
] as const)('the decline code %s means %s', (code, reason) => {
  expect(declineReason(code)).toBe(reason)
})

test('each reason has a sentence of its own in each language', () => {
  for (const { folder } of locales) {
    const t = serverTexts(folder, 'problems')
    const sentences = declineReasons.map((reason) => t([`card_refused_${reason}`, 'card_refused']))
    expect(new Set(sentences).size).toBe(declineReasons.length)
  }
})
