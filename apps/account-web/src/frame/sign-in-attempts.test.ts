import { expect, test } from 'vitest'
import { forgetAttempts, mayTrySignIn } from './sign-in-attempts.ts'

function newStorage() {
  const entries = new Map<string, string>()
  return {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  }
}

test('a browser that does not store cookies is not caught in a redirect loop', () => {
  const storage = newStorage()
  const answers = [0, 1, 2, 3].map((second) => mayTrySignIn(storage, 1_000_000 + second * 1000))
  expect(answers).toEqual([true, true, true, false])
})

test('signing in may be tried again after a minute', () => {
  const storage = newStorage()
  for (const second of [0, 1, 2]) mayTrySignIn(storage, 1_000_000 + second * 1000)
  expect(mayTrySignIn(storage, 1_000_000 + 61_000)).toBe(true)
})

test('a visitor who tries again after the message is redirected again', () => {
  const storage = newStorage()
  for (const second of [0, 1, 2, 3]) mayTrySignIn(storage, 1_000_000 + second * 1000)
  forgetAttempts(storage)
  expect(mayTrySignIn(storage, 1_004_000)).toBe(true)
})
