import { expect, test } from 'vitest'
import { type Command, matching } from './commands.rules.ts'

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

const labels = (typed: string) => matching(commands, typed).map(({ label }) => label)

test('tabs and actions are offered before anything is typed', () => {
  expect(labels('  ')).toEqual(['Mis pedidos', 'Añadir tarjeta de crédito'])
})

test('every typed word must occur, in any order, case and accent', () => {
  expect(labels('CREDITO anadir')).toEqual(['Añadir tarjeta de crédito'])
  expect(labels('francais')).toEqual(['Français'])
  expect(labels('esquema')).toEqual(['Oscuro'])
  expect(labels('pedidos tarjeta')).toEqual([])
})
