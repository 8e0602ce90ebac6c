import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { locales } from '@atrium/contract/locale.ts'
import { expect, test } from 'vitest'
import { serverTexts } from './server-texts.ts'

test.each(locales.map(({ folder }) => folder))(
  '%s: servers write in this language and do not fall back to English',
  async (folder) => {
    const texts = JSON.parse(await readFile(join(import.meta.dirname, folder, 'session.json'), 'utf8'))
    expect(serverTexts(folder, 'session')('signedIn')).toBe(texts.signedIn)
  },
)

test('values are inserted unescaped, since emails escape them in HTML', () => {
  expect(serverTexts('de', 'sso-mail')('greeting', { name: 'Ada & Co' })).toContain('Ada & Co')
})
