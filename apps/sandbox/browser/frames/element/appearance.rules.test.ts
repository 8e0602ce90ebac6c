import { expect, test } from 'vitest'
import { cssProperty, isStateSelector, isStylable, variableName } from './appearance.rules.ts'

test('a merchant can style the documented parts and their states only', () => {
  const stylable = [
    '.Input',
    '.Input--invalid',
    '.Input:focus',
    '.Input::placeholder',
    '.Label',
    '.Error',
    '.TermsText',
  ]
  const others = ['body', '*', '.Input, body', '.Input .Label', '.Picture', '.Input:has(.Error)', '.Input:focus{}', '']

  expect(stylable.filter(isStylable)).toEqual(stylable)
  expect(others.filter(isStylable)).toEqual([])
})

test('a style has states, which are pseudo-classes and pseudo-elements', () => {
  expect([':focus', '::placeholder', ':-webkit-autofill', ':has(x)', '.a', ': focus'].filter(isStateSelector)).toEqual([
    ':focus',
    '::placeholder',
    ':-webkit-autofill',
  ])
})

test('appearance may be changed, position may not', () => {
  expect(
    ['fontSize', 'color', 'backgroundColor', 'borderTopColor', 'boxShadow', 'lineHeight'].map(cssProperty),
  ).toEqual(['font-size', 'color', 'background-color', 'border-top-color', 'box-shadow', 'line-height'])
  for (const name of [
    'position',
    'display',
    'backgroundImage',
    'content',
    'transform',
    '--x',
    'color;x',
    'iconColor',
  ]) {
    expect(cssProperty(name), name).toBeUndefined()
  }
})

test('a variable name is a word', () => {
  expect(variableName('colorPrimary')).toBe('--colorPrimary')
  expect(variableName('a:b')).toBeUndefined()
})
