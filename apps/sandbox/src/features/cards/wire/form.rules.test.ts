import { expect, test } from 'vitest'
import { decodeForm, isList } from './form.rules.ts'

test('brackets nest, and an empty pair is the next place of a list', () => {
  expect(decodeForm('a=1&card[exp_month]=4&list[0][b]=x&expand[]=p&expand[]=q&metadata[a b]=%26')).toEqual({
    a: '1',
    card: { exp_month: '4' },
    list: { '0': { b: 'x' } },
    expand: { '0': 'p', '1': 'q' },
    metadata: { 'a b': '&' },
  })
})

test('a name that is text and object at once, unbalanced or bottomless is no form', () => {
  for (const form of ['a=1&a[b]=2', 'a[b]=2&a=1', 'a[b=1', '[a]=1', `a${'[b]'.repeat(20)}=1`, 'x=1&'.repeat(2000)]) {
    expect(decodeForm(form), form.slice(0, 30)).toBeUndefined()
  }
})

test('a parameter named like a part of every object is only a parameter', () => {
  const decoded = decodeForm('__proto__[polluted]=1&constructor[x]=2')

  expect(Object.keys(decoded ?? {})).toEqual(['__proto__', 'constructor'])
  expect('polluted' in {}).toBe(false)
})

test('a list is one whose names are places', () => {
  expect(isList({ '0': 'a', '1': 'b' })).toBe(true)
  expect(isList({ '0': 'a', b: 'c' })).toBe(false)
})
