import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rawMember } from './raw-member.rules.ts'
import { mostAttempts, pauseAfter } from './signature.rules.ts'

test('a member of a JSON object is found as it was written', () => {
  const json = '{ "a\\"b": [1, {"event": 2}], "event" : {"x": "}, \\"event\\": 3", "y": [ 1,  2 ]} , "z": null }'

  expect(rawMember(json, 'event')).toBe('{"x": "}, \\"event\\": 3", "y": [ 1,  2 ]}')
  expect(rawMember(json, 'a"b')).toBe('[1, {"event": 2}]')
  expect(rawMember(json, 'z')).toBe('null')
  expect(rawMember(json, 'none')).toBeUndefined()
})

test('the text of any member says what the parser reads', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (object, indent) => {
      const json = JSON.stringify(object, null, indent)
      for (const name of Object.keys(JSON.parse(json))) {
        expect(JSON.parse(rawMember(json, name) ?? '')).toEqual(JSON.parse(json)[name])
      }
    }),
  )
})

test('twenty-five attempts take about three days, the first ones a minute', () => {
  const pauses = Array.from({ length: mostAttempts - 1 }, (_, index) => pauseAfter(index + 1))
  const sum = (some: number[]) => some.reduce((all, one) => all + one, 0)

  expect(sum(pauses.slice(0, 3))).toBe(35)
  expect(sum(pauses) / 86_400).toBeGreaterThan(2.7)
  expect(sum(pauses) / 86_400).toBeLessThan(3.1)
})
