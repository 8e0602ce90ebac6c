import { expect, test } from 'vitest'
import { linksIn, storable } from './mail.rules.ts'

test('links are found in both forms of an email, each once', () => {
  const text = 'See https://a.test/x?y=1. Or (https://b.test/z), again https://a.test/x?y=1'
  const html = `<a href="https://a.test/x?y=1">a</a> <a href='https://c.test/?q=1&amp;r=&#50;'>c</a>`

  expect(linksIn(text, html)).toEqual(['https://a.test/x?y=1', 'https://c.test/?q=1&r=2', 'https://b.test/z'])
})

test('only web addresses count as links', () => {
  expect(linksIn('ftp://a.test', '<a href="javascript:alert(1)">x</a><a href="mailto:a@b.test">y</a>')).toEqual([])
})

test('half of a surrogate pair and NUL are replaced, everything else stays', () => {
  expect(storable('a\0b\uD800c😀')).toBe('a\uFFFDb\uFFFDc😀')
})
