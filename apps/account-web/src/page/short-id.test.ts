import { expect, test } from 'vitest'
import { shortId } from './short-id.ts'

test.each([
  ['sub_QSeKp2mVxLr0aBcDeFgHwyNG', 'sub_QSeK…wyNG'],
  ['I-BW452GLLEP1G', 'I-BW452GLLEP1G'],
  ['', ''],
])('the id %s is shown as %s', (id, shown) => {
  expect(shortId(id)).toBe(shown)
})
