import { expect, test } from 'vitest'
import { prefersHtml } from './prefers-html.ts'

test('browsers that visit an address prefer HTML', () => {
  expect(prefersHtml('text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8')).toBe(true)
  expect(prefersHtml('text/html')).toBe(true)
  expect(prefersHtml('application/json;q=0.5, Text/HTML; q=0.9')).toBe(true)
})

test('programs do not: what takes anything, names JSON first, or refuses HTML', () => {
  for (const accept of [undefined, '', '*/*', 'text/*', 'application/json', 'application/json, text/html;q=0.9'])
    expect([accept, prefersHtml(accept)]).toEqual([accept, false])
  expect(prefersHtml('application/problem+json, text/html;q=0.5')).toBe(false)
  expect(prefersHtml('text/html;q=0')).toBe(false)
  expect(prefersHtml('text/html;q=nonsense')).toBe(false)
})
