import { expect, test } from 'vitest'
import { breakLines } from './line-breaks.ts'

/** Every character has width one. */
function broken(text: string, width: number) {
  return breakLines(text, { width, measure: (piece) => [...piece].length })
}

test('a line breaks between words, and drops the space', () => {
  expect(broken('Folio PDF Editor for teams', 10)).toEqual(['Folio PDF', 'Editor for', 'teams'])
  expect(broken('one-time license', 8)).toEqual(['one-time', 'license'])
})

test('a word that is longer than a line is broken inside, and nothing is lost', () => {
  expect(broken('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
  expect(broken('x abcdefghij y', 4)).toEqual(['x ab', 'cdef', 'ghij', 'y'])
})

test('graphemes are never broken', () => {
  expect(broken('👩‍👩‍👧‍👦e\u0301o', 1)).toEqual(['👩‍👩‍👧‍👦', 'e\u0301', 'o'])
})

test('Japanese and Chinese break without spaces, and no line begins with punctuation or a closing bracket', () => {
  const lines = broken('ご注文は完了しました。ありがとうございます（税込）。', 6)
  expect(lines.join('')).toBe('ご注文は完了しました。ありがとうございます（税込）。')
  expect(lines.filter((line) => /^[。、）]/.test(line))).toEqual([])
  expect(lines.filter((line) => /（$/.test(line))).toEqual([])
})

test('an amount is not separated from its currency', () => {
  expect(broken('zu 1.000\u00a0€ im Jahr', 9)).toEqual(['zu', '1.000\u00a0€ im'.slice(0, 7), 'im Jahr'])
})

test('a date is not broken, nor its bracket left behind', () => {
  expect(broken('3 Sitze (2026-11-27 – 2027-11-26)', 14)).toEqual(['3 Sitze', '(2026-11-27 –', '2027-11-26)'])
})

test('an empty text has no lines', () => {
  expect(broken('', 10)).toEqual([])
  expect(broken('   ', 10)).toEqual([])
})
