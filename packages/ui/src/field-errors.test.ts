import { expect, test } from 'vitest'
import { CallProblem } from './call-problem.ts'
import { fieldErrors } from './field-errors.ts'

test('a refused field is found by its name', () => {
  const problem = new CallProblem('invalid', {
    status: 422,
    errors: [
      { path: 'body.firstName', code: 'first_name_required', message: 'first_name_required' },
      { path: 'body.address.zip', code: 'too_long', message: 'too_long' },
    ],
  })
  expect(fieldErrors(problem)).toEqual({ firstName: 'first_name_required', 'address.zip': 'too_long' })
})

test('a refused query parameter is not a form field', () => {
  const errors = [{ path: 'query.page', code: 'too_big', message: 'too big' }]
  expect(fieldErrors(new CallProblem('invalid', { status: 422, errors }))).toEqual({})
})

test('a failure without fields has no field errors', () => {
  expect(fieldErrors(new CallProblem('offline'))).toEqual({})
  expect(fieldErrors(new Error('boom'))).toEqual({})
})

test('a refusal without a field is assigned to the field that the form names for its code', () => {
  const fields = { wrong_code: 'proof' }
  expect(fieldErrors(new CallProblem('wrong_code', { status: 409 }), fields)).toEqual({ proof: 'wrong_code' })
  expect(fieldErrors(new CallProblem('popup_expired', { status: 410 }), fields)).toEqual({})
})
