import { expect, test } from 'vitest'
import { decodeForm, isList } from './form.rules.ts'

test('brackets nest, and an empty pair appends to a list', () => {
  expect(decodeForm('a=1&card[exp_month]=4&list[0][b]=x&expand[]=p&expand[]=q&metadata[a b]=%26')).toEqual({
    a: '1',
    card: { exp_month: '4' },
    list: { '0': { b: 'x' } },
    expand: { '0': 'p', '1': 'q' },
    metadata: { 'a b': '&' },
  })
})

test('a name that is both text and object, unbalanced or too deep is refused', () => {
  for (const form of ['a=1&a[b]=2', 'a[b]=2&a=1', 'a[b=1', '[a]=1', `a${'[b]'.repeat(20)}=1`, 'x=1&'.repeat(2000)]) {
    expect(decodeForm(form), form.slice(0, 30)).toBeUndefined()
  }
})

test('a parameter named like a property of Object.prototype is an ordinary parameter', () => {
  const decoded = decodeForm('__proto__[polluted]=1&constructor[x]=2')

  expect(Object.keys(decoded ?? {})).toEqual(['__proto__', 'constructor'])
  expect('polluted' in {}).toBe(false)
})

test('an object whose names are indexes is a list', () => {
  expect(isList({ '0': 'a', '1': 'b' })).toBe(true)
  expect(isList({ '0': 'a', b: 'c' })).toBe(false)
})
