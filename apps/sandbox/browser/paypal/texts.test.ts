import { expect, test } from 'vitest'
import { languageOf, textsOf } from './texts.ts'
import { labels } from './wire/messages.ts'

const locales = ['en-US', 'de-DE', 'es-ES', 'fr-FR', 'it-IT', 'ja-JP', 'nl-NL', 'pt-BR', 'ru-RU', 'zh-TW']

test.each(locales)('every label in %s names PayPal once, and none is left in English', (locale) => {
  const texts = textsOf(locale)

  expect(languageOf(locale)).toBe(locale.slice(0, 2))
  for (const label of labels) {
    expect(texts[label].split('PayPal')).toHaveLength(2)
    if (label !== 'paypal' && locale !== 'en-US') expect(texts[label]).not.toBe(textsOf('en')[label])
  }
})

test('an unsupported locale is shown in English', () => {
  expect(languageOf('sv-SE')).toBe('en')
  expect(textsOf('sv-SE')).toBe(textsOf('en'))
})
