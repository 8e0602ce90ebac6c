import { expect, test } from 'vitest'
import { type Command, matching, nearest, unmatchedWords } from './commands.rules.ts'

const command = (group: Command['group'], label: string, alias = ''): Command => ({
  key: label,
  group,
  label,
  alias,
  run: () => undefined,
})

const commands = [
  command('tabs', 'Mis pedidos'),
  command('actions', 'Añadir tarjeta de crédito'),
  command('language', 'Français'),
  command('scheme', 'Oscuro', 'Esquema de color'),
]

const labels = (typed: string) => matching(commands, typed, 'de mis qué a').map(({ label }) => label)

test('tabs and actions are offered before anything is typed', () => {
  expect(labels('  ')).toEqual(['Mis pedidos', 'Añadir tarjeta de crédito'])
})

test('every typed word must occur, in any order, case and accent', () => {
  expect(labels('CREDITO anadir')).toEqual(['Añadir tarjeta de crédito'])
  expect(labels('francais')).toEqual(['Français'])
  expect(labels('esquema')).toEqual(['Oscuro'])
  expect(labels('pedidos tarjeta')).toEqual([])
})

test('the words of a question that say nothing need not occur, unless there are no others', () => {
  expect(labels('¿A qué tarjeta?')).toEqual(['Añadir tarjeta de crédito'])
  expect(labels('mis')).toEqual(['Mis pedidos'])
  expect(labels('a')).toEqual(['Añadir tarjeta de crédito'])
})

test('the ending of a word may differ, its beginning may not', () => {
  expect(labels('tarjetas')).toEqual(['Añadir tarjeta de crédito'])
  // Ends like `crédito`.
  expect(labels('editor')).toEqual([])
})

test('first comes what has the words as its label, then what has them early in its alias', () => {
  const profile = command('tabs', 'Profile', 'email address')
  const moved = command('tabs', 'Offices', 'address')
  const addresses = command('tabs', 'Billing Address')
  expect(matching([profile, moved, addresses], 'address')).toEqual([addresses, moved, profile])
})

test('nearest is what has the most of the words, if it has any', () => {
  const near = (typed: string) => nearest(commands, typed, 'de mis').map(({ label }) => label)
  expect(near('tarjeta de crédito perdida')).toEqual(['Añadir tarjeta de crédito'])
  expect(near('mis pedidos y tarjeta')).toEqual(['Mis pedidos', 'Añadir tarjeta de crédito'])
  expect(near('zzzz')).toEqual([])
})

test('what no command has is searched by itself, an address as a whole', () => {
  const rest = (typed: string) => unmatchedWords(commands, typed, 'de mis la s')
  expect(rest('la tarjeta de Hélène')).toBe('Hélène')
  expect(rest('mis pedidos de helene@folio.test')).toBe('helene@folio.test')
  expect(rest('Pia’s tarjetas')).toBe('Pia')
  expect(rest('mis pedidos')).toBe('')
  expect(unmatchedWords([command('tabs', '削除')], 'Piaを削除', 'を')).toBe('Pia')
})
