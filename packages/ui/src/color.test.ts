import { contrast, textOn } from '@atrium/contract/contrast.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readableOn, shadesOf } from './color.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('contrast of black on white is 21', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#ffffff', '#ffffff')).toBe(1)
})

test('the vendor’s color is the seventh of ten shades, from light to dark', () => {
  const shades = shadesOf('#3b51c4')
  expect(shades[6]).toBe('#3b51c4')
  const whites = shades.map((shade) => contrast(shade, '#ffffff'))
  expect(whites).toEqual([...whites].sort((a, b) => a - b))
})

test('any color becomes readable on the page’s background, light or dark', () => {
  fc.assert(
    fc.property(color, fc.constantFrom('#faf9f7', '#ffffff', '#161512', '#1d1b18'), (brand, background) => {
      expect(contrast(readableOn(background, brand), background)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test('a color that is readable already is not changed', () => {
  expect(readableOn('#faf9f7', '#3b51c4')).toBe('#3b51c4')
})

test('text on any brand color is readable', () => {
  fc.assert(
    fc.property(color, (brand) => {
      expect(contrast(textOn(brand), brand)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test('an invalid color does not break the page', () => {
  expect(shadesOf('url(javascript:1)')).toHaveLength(10)
})
