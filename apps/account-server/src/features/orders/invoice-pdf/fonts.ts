import { createRequire } from 'node:module'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import * as fontkit from 'fontkit'

export type Weight = 'regular' | 'bold'

type Family = 'sans' | 'japanese' | 'chinese'

/** In order of preference. */
export type Families = readonly Family[]

/** A piece of text in one font. */
interface Run {
  text: string
  font: Font
}

interface Font {
  /** In the document, where each font is embedded once and as a subset. */
  name: string
  parsed: fontkit.Font
}

const require = createRequire(import.meta.url)

const files: Readonly<Record<Family, Readonly<Record<Weight, string>>>> = {
  sans: {
    regular: require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
    bold: require.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
  },
  japanese: {
    regular: require.resolve('@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf'),
    bold: require.resolve('@expo-google-fonts/noto-sans-jp/600SemiBold/NotoSansJP_600SemiBold.ttf'),
  },
  chinese: {
    regular: require.resolve('@expo-google-fonts/noto-sans-tc/400Regular/NotoSansTC_400Regular.ttf'),
    bold: require.resolve('@expo-google-fonts/noto-sans-tc/600SemiBold/NotoSansTC_600SemiBold.ttf'),
  },
}

const opened = new Map<string, Font>()

/**
 * Loaded on demand: Japanese and Chinese have some megabytes each. Parsed once for all documents: for each of them it would take
 * twenty times as long as the rest, and memory that is freed late.
 */
function fontOf(family: Family, weight: Weight): Font {
  const name = `${family}-${weight}`
  const known = opened.get(name)
  if (known) return known

  const parsed = fontkit.openSync(files[family][weight])
  if ('fonts' in parsed) throw new Error(`${name} is a collection of fonts`)
  const font = { name, parsed }
  opened.set(name, font)
  return font
}

/** Countries with traditional Chinese glyphs. */
const chineseCountries = ['TW', 'HK', 'MO']

/**
 * Font families in order of preference. Han characters share codes but differ in glyphs: the document's language decides, then
 * the buyer's country.
 */
export function familiesFor(lang: LocaleCode, buyerCountry: string): Families {
  const isChinese = lang === 'zh-tw' || (lang !== 'ja-jp' && chineseCountries.includes(buyerCountry))
  return isChinese ? ['sans', 'chinese', 'japanese'] : ['sans', 'japanese', 'chinese']
}

/** Replaces a character that no font has: visible, and never mistaken for part of a name. */
const replacement = '\ufffd'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Splits a text into pieces of one font each. Graphemes stay together; one that no font has is replaced visibly. */
export function runsOf(text: string, families: Families, weight: Weight): Run[] {
  const runs: Run[] = []
  for (const { segment } of graphemes.segment(text)) {
    const family = families.find((candidate) => hasAll(fontOf(candidate, weight), segment))
    const font = fontOf(family ?? 'sans', weight)
    const drawn = family ? segment : replacement
    const last = runs.at(-1)
    if (last?.font === font) last.text += drawn
    else runs.push({ text: drawn, font })
  }
  return runs
}

function hasAll(font: Font, text: string): boolean {
  return [...text].every((character) => font.parsed.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))
}

/** One line of plain text, without control characters, direction marks and zero-width spaces. */
export function plainText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(/[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '')
}
