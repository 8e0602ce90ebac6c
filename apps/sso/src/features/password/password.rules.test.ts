import { expect, test } from 'vitest'
import { newHashing } from './hashing.ts'
import { passwordProblem } from './password.rules.ts'

test('a password has 8 to 128 characters, counted as a reader would', () => {
  expect(passwordProblem('kurz-12')).toBe('password_too_short')
  expect(passwordProblem('lang-123')).toBeUndefined()
  expect(passwordProblem('🦊🦉🐝🐢🦔🐸🦀🐙')).toBeUndefined()
  expect(passwordProblem('🦊🦉🐝🐢🦔🐸🦀')).toBe('password_too_short')
  expect(passwordProblem('é'.repeat(128))).toBeUndefined()
  expect(passwordProblem('é'.repeat(129))).toBe('password_too_long')
})

test('any characters will do, spaces and other scripts too', () => {
  for (const password of ['        ', 'пароль-на-русском', '合言葉は「山」です', '<script>alert(1)</script>']) {
    expect(passwordProblem(password)).toBeUndefined()
  }
})

test('the commonest passwords are refused, in any case', () => {
  for (const password of ['password', 'PASSWORD', '12345678', 'Sunshine', 'qwertyuiop', 'trustno1']) {
    expect(passwordProblem(password)).toBe('password_common')
  }
})

test('what is no text is no password', () => {
  expect(passwordProblem('abcdefgh\0')).toBe('broken_text')
  expect(passwordProblem('abcdefgh\ud800')).toBe('broken_text')
})

test('nothing is cut off: a difference in the last of 128 characters counts', async () => {
  const { hash, verify } = newHashing()
  const long = 'a'.repeat(127)
  const hashed = await hash(`${long}b`)
  expect(hashed).toMatch(/^\$argon2id\$/)
  expect(await verify(hashed, `${long}b`)).toBe(true)
  expect(await verify(hashed, `${long}c`)).toBe(false)
  expect(await verify(hashed, long)).toBe(false)
})

test('the same characters composed differently are the same password', async () => {
  const { hash, verify } = newHashing()
  expect(await verify(await hash('café-crème'), 'cafe\u0301-cre\u0300me')).toBe(true)
})

test('more than the queue holds is refused at once, and the rest is served', async () => {
  const { hash } = newHashing({ parallel: 1, waiting: 2 })
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => hash('a good password')))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await hash('afterwards')).toMatch(/^\$argon2id\$/)
})
