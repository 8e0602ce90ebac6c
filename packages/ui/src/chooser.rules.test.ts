import { expect, test } from 'vitest'
import { bestFirst, exactly } from './chooser.rules.ts'

const list = [
  ['AK', 'Alaska'],
  ['AR', 'Arkansas'],
  ['KS', 'Kansas'],
  ['ND', 'North Dakota'],
  ['AT', 'Österreich'],
  ['SS', 'South Sudan'],
  ['SD', 'Sudan'],
  ['UA', 'Ukraine'],
].map(([code = '', name = '']) => ({ code, name }))
const found = (typed: string) => bestFirst(list, typed).map(({ name }) => name)

test('the name itself comes first, then names that begin so, then those that have it', () => {
  expect(found('kansas')).toEqual(['Kansas', 'Arkansas'])
  expect(found('Sudan')).toEqual(['Sudan', 'South Sudan'])
  expect(found('a')).toEqual(['Alaska', 'Arkansas', 'Kansas', 'North Dakota', 'South Sudan', 'Sudan', 'Ukraine'])
})

test('in Japanese, hiragana is as good as katakana, and a voiced syllable is another one', () => {
  const countries = ['ブラジル', 'フランス', 'ジブラルタル'].map((name) => ({ code: name, name }))
  expect(bestFirst(countries, 'フラ').map(({ name }) => name)).toEqual(['フランス'])
  expect(bestFirst(countries, 'ぶら').map(({ name }) => name)).toEqual(['ブラジル', 'ジブラルタル'])
})

test('a code is what it stands for', () => {
  expect(found('ar')).toEqual(['Arkansas'])
  expect(found('ks')).toEqual(['Kansas'])
  expect(found('ss')[0]).toBe('South Sudan')
})

test('accents need not be typed, and what fits nothing finds nothing', () => {
  expect(found('osterreich ')).toEqual(['Österreich'])
  expect(found('zzz')).toEqual([])
})

test('only what was typed in full is meant without being chosen', () => {
  expect(exactly(list, ' sudan')?.code).toBe('SD')
  expect(exactly(list, 'at')?.code).toBe('AT')
  expect(exactly(list, 'suda')).toBeUndefined()
  expect(exactly(list, '')).toBeUndefined()
})
