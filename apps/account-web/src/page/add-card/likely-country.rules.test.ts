import { expect, test } from 'vitest'
import { likelyCountry } from './likely-country.rules.ts'

test.each([
  ['a German page in an American browser', 'de-de', ['en-US', 'en'], 'DE'],
  ['a German page in an Austrian browser', 'de-de', ['de-AT', 'en-US'], 'AT'],
  ['a Portuguese page in a browser that names no country', 'pt-br', ['pt'], 'BR'],
  ['an English page in a British browser', 'en-us', ['en-GB'], 'GB'],
  ['an English page in a German browser', 'en-us', ['de-DE'], undefined],
  ['a browser with a language that is none', 'ja-jp', ['x_'], 'JP'],
] as const)('%s', (_case, locale, languages, country) => {
  expect(likelyCountry(locale, languages)).toBe(country)
})
