import { z } from 'zod'

/**
 * What a person or another program wrote: without control characters and without marks that are not seen, such as those that turn the
 * direction of what follows. Every text that is stored or shown comes in through this file.
 */

/** On one line, of at most `max` characters. */
export function Line(max: number, tooLong = 'too_long') {
  return z.string().overwrite(plainLine).max(max, tooLong)
}

/** On one line, and not empty. @param required code of an empty one */
export function RequiredLine(max: number, required: string, tooLong = 'too_long') {
  return z.string().overwrite(plainLine).min(1, required).max(max, tooLong)
}

/** On as many lines as were written. */
export function Lines(max: number) {
  return z.string().overwrite(plainLines).max(max, 'too_long')
}

/** `max` of a text that is not refused for its length, such as a name at a login provider. */
export function plainLine(text: string, max = Number.POSITIVE_INFINITY): string {
  const plain = withoutEnds(withoutMarks(text.replaceAll(breaks, ' ')))
  // Half of a character at the end would not be one.
  return plain.length <= max
    ? plain
    : plain
        .slice(0, max)
        .replace(/\p{Cs}$/u, '')
        .trimEnd()
}

export function plainLines(text: string): string {
  return withoutEnds(withoutMarks(text.replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n').replaceAll('\t', ' ')))
}

/** Whether there is a mark in it that is not seen: where a text is compared, it would make another one that looks the same. */
export function hasHiddenMark(text: string): boolean {
  return hiddenMark.test(text)
}

/** Without white space and marks that are not seen at both ends. */
export function withoutEnds(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text.charAt(start))) start += 1
  while (end > start && isBlank(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

const hiddenMark = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffc]/u

/** The flag of Scotland, for example, is written with tags, which are not seen anywhere else. */
const flag = '\\u{1f3f4}[\\u{e0020}-\\u{e007e}]+\\u{e007f}'

/** Change how the characters beside them are written: Persian and Indic letters, Chinese characters in Japanese names, emoji. */
const shaping = '[\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}\\u180b-\\u180d\\u180f]'

const unseen = new RegExp(
  `(${flag}|${shaping})|[\\p{Cs}\\p{Noncharacter_Code_Point}\\ufff9-\\ufffc]|\\p{Default_Ignorable_Code_Point}`,
  'gu',
)

/** At the start, and after a letter of these scripts, they change nothing. */
const idle = new RegExp(`(?<=^|[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\s])${shaping}+`, 'gu')

function withoutMarks(text: string): string {
  return text
    .replaceAll(/(\n)|\p{Cc}/gu, '$1')
    .replaceAll(unseen, '$1')
    .replaceAll(idle, '')
}

/** A joiner at an end joins nothing; Braille has a blank of its own. */
function isBlank(character: string): boolean {
  return /^[\s\u2800\p{Cc}\p{Default_Ignorable_Code_Point}]$/u.test(character) && !/^[\ufe00-\ufe0f]$/.test(character)
}
