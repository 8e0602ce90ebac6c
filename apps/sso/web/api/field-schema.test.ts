import { expect, test } from 'vitest'
import { codeCode, emailCode, newPasswordCode } from './field-checks.ts'
import { fieldSchema } from './field-schema.ts'

const schema = fieldSchema({
  email: emailCode,
  password: (password, { email }) =>
    newPasswordCode(password) ?? (password === email ? 'password_unchanged' : undefined),
})
const validate = (values: object) => schema['~standard'].validate(values)

test('values that pass every check are the request', () => {
  const values = { email: 'ada@example.test', password: 'long enough' }
  expect(validate(values)).toEqual({ value: values })
})

test.each(['123456', '123 456', '123-456', ' 123\u2013456\n'])('%j is a code', (code) => {
  expect(codeCode(code)).toBeUndefined()
})

test.each(['', '12345', '1234567', '12345a', '123.456'])('%j is not a code', (code) => {
  expect(codeCode(code)).toBe('code_required')
})

test('each refused field has its code, and a check sees the other fields', () => {
  expect(validate({ email: ' ', password: 'short' })).toEqual({
    issues: [
      { message: 'email_required', path: ['email'] },
      { message: 'password_too_short', path: ['password'] },
    ],
  })
  expect(validate({ email: 'ada@example.test', password: 'ada@example.test' })).toEqual({
    issues: [{ message: 'password_unchanged', path: ['password'] }],
  })
})
