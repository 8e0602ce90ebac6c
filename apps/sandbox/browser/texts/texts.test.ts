import { expect, test } from 'vitest'
import { faults } from '../card/verdict.rules.ts'
import { en } from './en.ts'
import { languageOf, textsOf } from './texts.ts'

const locales = ['de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pt-BR', 'ru', 'zh-TW']

test('every language has a text of its own for every fault', () => {
  for (const fault of faults) {
    const sentences = locales.map((locale) => textsOf(locale)[fault])
    expect(new Set(sentences).size, fault).toBe(locales.length)
  }
})

test('every language names the business in its terms', () => {
  for (const locale of locales) expect(textsOf(locale).terms).toContain('{business}')
})

test('a locale is served in its language, any other in English', () => {
  expect(['pt', 'pt-BR', 'zh-TW', 'zh', 'en-GB', 'ko', ''].map(languageOf)).toEqual([
    'pt',
    'pt',
    'zh',
    'zh',
    'en',
    'en',
    'en',
  ])
  expect(textsOf('ko')).toBe(en)
})
