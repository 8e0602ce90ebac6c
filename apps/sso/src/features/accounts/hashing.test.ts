import { expect, test } from 'vitest'
import { newHashing } from './hashing.ts'

test('passwords are not truncated: a difference in the last of 128 characters counts', async () => {
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

test('requests beyond the queue’s limit are refused immediately, and the rest is served', async () => {
  const { hash } = newHashing({ parallel: 1, waiting: 2 })
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => hash('a good password')))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await hash('afterwards')).toMatch(/^\$argon2id\$/)
})
