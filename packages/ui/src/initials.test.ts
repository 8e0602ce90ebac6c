import { expect, test } from 'vitest'
import { initialsOf } from './initials.ts'

test('two names give two letters, one name gives one, and without names the email address gives one', () => {
  expect(initialsOf('Ada', 'Lindqvist', 'ada@folio.test')).toBe('AL')
  expect(initialsOf(' ', 'Lindqvist', 'ada@folio.test')).toBe('L')
  expect(initialsOf('', '', 'ada@folio.test')).toBe('A')
})

test('a character is not cut in half', () => {
  expect(initialsOf('👩‍💻', '結衣', '')).toBe('👩‍💻結')
})
