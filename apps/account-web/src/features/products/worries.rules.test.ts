import type { RenewalPrompt, RenewalPrompts } from '@atrium/contract/products.ts'
import { expect, test } from 'vitest'
import { mayWorry, worstOf } from './worries.rules.ts'

const prompt = (reason: RenewalPrompt['reason'], isCanceled: 0 | 1 = 0): RenewalPrompt => ({
  ...{ subject: reason, stripeSubscriptionId: reason, appCode: 'FPE', appName: 'Folio', date: '', remainDays: 1 },
  ...{ showButtonType: 'view', showButtonUrl: '', reason, isCanceled },
})

const prompts = (...list: RenewalPrompt[]): RenewalPrompts => ({ list, total: list.length, charges: [] })

test('what has ended, a trial, and an end that was chosen are no worry', () => {
  expect(worstOf(prompts(prompt('ended'), prompt('ending', 1), prompt('trial_ending')))).toBeUndefined()
  expect(worstOf(prompts(prompt('ended'), prompt('ending', 1), prompt('license_ending')))?.reason).toBe(
    'license_ending',
  )
})

test('a tab that says it itself has no line', () => {
  expect(mayWorry(prompts(prompt('past_due')), 'my-subscriptions')).toBe(false)
  expect(mayWorry(prompts(prompt('past_due')), 'profile')).toBe(true)
  expect(mayWorry(prompts(prompt('ending')), 'my-subscriptions')).toBe(true)
  const charges = [{ stripeSubscriptionId: 'sub', appName: 'Folio', date: '', paymentMethodId: '' }]
  expect(mayWorry({ ...prompts(), charges }, 'payment-option-management')).toBe(false)
  expect(mayWorry({ ...prompts(), charges }, 'my-orders')).toBe(true)
})
