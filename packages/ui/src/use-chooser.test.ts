import { expect, test } from 'vitest'
import { bestFirst } from './use-chooser.ts'

const names = ['Alaska', 'Arkansas', 'Kansas', 'North Dakota', 'Österreich', 'South Sudan', 'Sudan', 'Ukraine']
const options = names.map((label) => ({ value: label, label }))
const found = (search: string) =>
  bestFirst({ options, search, limit: 100 }).flatMap((option) => ('label' in option ? [option.label] : []))

test('the name itself comes first, then names that begin so, then those that have it', () => {
  expect(found('kansas')).toEqual(['Kansas', 'Arkansas'])
  expect(found('Sudan')).toEqual(['Sudan', 'South Sudan'])
  expect(found('a')).toEqual(['Alaska', 'Arkansas', 'Kansas', 'North Dakota', 'South Sudan', 'Sudan', 'Ukraine'])
})

test('accents need not be typed, and what fits nothing finds nothing', () => {
  expect(found('osterreich ')).toEqual(['Österreich'])
  expect(found('zzz')).toEqual([])
})
