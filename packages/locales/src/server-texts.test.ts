import { readdir, readFile } from 'node:fs/promises'
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

test('in German, an Owner is Eigentümer and the Holder of a license Inhaber, and nothing else', async () => {
  const [english, german] = await Promise.all(['en', 'de'].map(textsIn))
  const wrong = [...(german ?? [])].filter(([key, text]) => {
    const original = english?.get(key) ?? ''
    if (/Karteninhaber/.test(text)) return false
    if (/Besitzer/.test(text)) return true
    return (/Inhaber/.test(text) && !/holder/i.test(original)) || (/Eigentümer/.test(text) && !/owner/i.test(original))
  })
  expect(wrong).toEqual([])
})

/** Every text of a language, by file and path. */
async function textsIn(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(join(import.meta.dirname, folder))).filter((name) => name.endsWith('.json'))
  const files = await Promise.all(
    names.map(async (name) =>
      leaves(name, JSON.parse(await readFile(join(import.meta.dirname, folder, name), 'utf8'))),
    ),
  )
  return new Map(files.flat())
}

function leaves(path: string, value: unknown): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(Object(value)).flatMap(([key, inner]) => leaves(`${path}.${key}`, inner))
}
