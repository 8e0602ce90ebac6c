import { expect, test } from 'vitest'
import { passwordProblem } from './password.rules.ts'

test('a password has 8 to 128 characters, counted as code points', () => {
  expect(passwordProblem('kurz-12')).toBe('password_too_short')
  expect(passwordProblem('lang-123')).toBeUndefined()
  expect(passwordProblem('🦊🦉🐝🐢🦔🐸🦀🐙')).toBeUndefined()
  expect(passwordProblem('🦊🦉🐝🐢🦔🐸🦀')).toBe('password_too_short')
  expect(passwordProblem('é'.repeat(128))).toBeUndefined()
  expect(passwordProblem('é'.repeat(129))).toBe('password_too_long')
})

test('any characters are allowed, including spaces and other scripts', () => {
  for (const password of ['        ', 'пароль-на-русском', '合言葉は「山」です', '<script>alert(1)</script>']) {
    expect(passwordProblem(password)).toBeUndefined()
  }
})

test('common passwords are refused in lower and upper case', () => {
  for (const password of ['password', 'PASSWORD', '12345678', 'Sunshine', 'qwertyuiop', 'trustno1']) {
    expect(passwordProblem(password)).toBe('password_common')
  }
})

test('invalid text is refused', () => {
  expect(passwordProblem('abcdefgh\0')).toBe('broken_text')
  expect(passwordProblem('abcdefgh\ud800')).toBe('broken_text')
})
