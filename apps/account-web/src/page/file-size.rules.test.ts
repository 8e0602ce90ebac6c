import { expect, test } from 'vitest'
import { sizeText } from './file-size.rules.ts'

test.each([
  [40, 'en-us', '1 kB'],
  [12_345, 'en-us', '12 kB'],
  [1_234_567, 'en-us', '1.2 MB'],
  [1_234_567, 'de-de', '1,2 MB'],
])('%i bytes are shown in %s as %s', (bytes, locale, shown) => {
  expect(sizeText(locale, bytes)).toBe(shown)
})
