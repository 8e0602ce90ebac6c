import { expect, test } from 'vitest'
import { allowedLink } from './catalog.rules.ts'

const hosts = ['downloads.folio.test', 'CDN.folio.test']

test('an https link to an allowed host is returned unchanged', () => {
  expect(allowedLink('https://downloads.folio.test/mac/editor.dmg?v=12', hosts)).toBe(
    'https://downloads.folio.test/mac/editor.dmg?v=12',
  )
  expect(allowedLink('https://CDN.FOLIO.test/x', hosts)).toBe('https://cdn.folio.test/x')
})

test.each([
  'http://downloads.folio.test/editor.dmg',
  'https://downloads.folio.test.evil.test/x',
  'https://evil.test/downloads.folio.test',
  'https://evil.test#@downloads.folio.test',
  'https://downloads.folio.test@evil.test/',
  'https://ada:secret@downloads.folio.test/',
  'https://downloads.folio.test:8443/x',
  'https://sub.downloads.folio.test/x',
  '//downloads.folio.test/x',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  '',
])('%s is not allowed', (url) => {
  expect(allowedLink(url, hosts)).toBe('')
})

test('without allowed hosts no link is allowed', () => {
  expect(allowedLink('https://downloads.folio.test/x', [])).toBe('')
})
