import { expect, test } from 'vitest'
import { joinSentences } from './sentences.ts'

test('sentences stand a space apart, but not in Japanese and Chinese', () => {
  expect(joinSentences('de-de', ['Eins.', 'Zwei.'])).toBe('Eins. Zwei.')
  expect(joinSentences('ja-jp', ['一。', '二。'])).toBe('一。二。')
})
