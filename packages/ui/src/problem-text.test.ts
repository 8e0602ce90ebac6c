import { expect, test } from 'vitest'
import { CallProblem } from './call-problem.ts'
import { isReadOnly, problemKeys, requestIdOf } from './problem-text.ts'

test('a declined card has the text of its reason, whatever sentence the provider sends with it', () => {
  const detail = 'Your card has insufficient funds.'
  const declined = new CallProblem('card_refused', { status: 402, detail, data: { reason: 'insufficient_funds' } })
  expect(problemKeys(declined)[0]).toBe('card_refused_insufficient_funds')
})

test('a wait has the text of its unit', () => {
  expect(problemKeys(new CallProblem('too_often', { retryAfter: 7000 }))).toEqual(['too_often_minutes', 'too_often'])
  expect(problemKeys(new CallProblem('too_often', { retryAfter: 8000 }))).toEqual(['too_often_hours', 'too_often'])
})

test('a refusal has no id to quote, since it says what to do: what went wrong at the server has', () => {
  const requestId = 'req-1'
  expect(requestIdOf(new CallProblem('card_refused', { status: 402, requestId }))).toBeUndefined()
  expect(requestIdOf(new CallProblem('code_spent', { status: 410, requestId }))).toBeUndefined()
  expect(requestIdOf(new CallProblem('internal', { status: 500, requestId }))).toBe(requestId)
})

test('what a support agent may not see never comes by trying again, other failures may', () => {
  expect(isReadOnly(new CallProblem('support_read_only', { status: 403 }))).toBe(true)
  expect(isReadOnly(new CallProblem('offline'))).toBe(false)
})
