import { expect, test } from 'vitest'
import { Line, Lines, plainLine, plainLines, RequiredLine } from './text.ts'

test.each([
  ['what turns the direction', '\u202eadA\u202c \u2066x\u2069\u200e\u200f\u061c', 'adA x'],
  ['control characters', 'A\u0007d\u009ba', 'Ada'],
  ['line breaks', ' Ada\r\nBcc:\u2028all\tx\u0085', 'Ada Bcc: all x'],
  ['marks that are not seen', '\u200bA\u00add\u2060a\ufeff', 'Ada'],
  ['joiners that join nothing', '\u200cA\u200dda\u200c', 'Ada'],
  ['fillers of Hangul', '\u3164\u115f\uffa0', ''],
  ['blanks of Braille', '\u2800\u2800', ''],
  ['what stands for an object, and what is no character', 'A\ufffcd\uffffa\ufdd0', 'Ada'],
  ['halves of characters', 'Ada\ud83d', 'Ada'],
  ['tags without a flag', 'Ada\u{e0041}\u{e0042}', 'Ada'],
])('a name loses %s', (_what, typed, plain) => {
  expect(plainLine(typed)).toBe(plain)
})

test.each([
  ['a Persian name', 'علی\u200cرضا'],
  ['a name in Malayalam', 'അവന്\u200d പോയി'],
  ['a name in Sinhala', 'ශ්\u200dරී'],
  ['an emoji of several', '👩🏽\u200d💻 and 👨\u200d👩\u200d👧'],
  ['a heart in color', 'with ❤\ufe0f'],
  ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}!'],
  ['a Japanese name with its own form of a character', '葛\u{e0100}城'],
  ['Braille', '⠁⠙⠁\u2800⠃'],
  ['names with accents, apostrophes and hyphens', "Zoë O’Brien-Núñez d'Été"],
])('%s stays as it was written', (_what, name) => {
  expect(plainLine(name)).toBe(name)
})

test('what may have lines keeps them, and nothing else of that kind', () => {
  expect(plainLines('\n Dear Ada,\r\n\r\nx\u202ey\u0000\rz\tw \n')).toBe('Dear Ada,\n\nxy\nz w')
})

test('a text is cut between characters', () => {
  expect([plainLine('Ada 😀', 5), plainLine('Ada 😀', 6), plainLine('Ada Bea', 4)]).toEqual(['Ada', 'Ada 😀', 'Ada'])
})

test('what is counted is what is stored', () => {
  expect(Line(3).safeParse('\u202eAda\u202c').data).toBe('Ada')
  expect(Line(3).safeParse('Adas').error?.issues[0]?.message).toBe('too_long')
  expect(Lines(3).safeParse('A\r\nd').data).toBe('A\nd')
  expect(RequiredLine(3, 'name_required').safeParse('\u200b \u3164').error?.issues[0]?.message).toBe('name_required')
})

test('a long run of spaces or marks keeps nobody waiting', () => {
  const long = `a${' \u200d'.repeat(100_000)}b`
  expect([plainLine(long), plainLines(long)]).toEqual(Array(2).fill(`a${' '.repeat(100_000)}b`))
})
