import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { misspelledSettings } from '@atrium/server-kit/suspicious-settings.ts'
import { expect, test } from 'vitest'
import { AccountSettings } from '../apps/account-server/src/config.ts'
import { SsoSettings } from '../apps/sso/src/config.ts'
import { environmentExample } from './env-example.ts'
import { projectFolder } from './start/data-directory.ts'

test('.env.example names every setting of every program (else: node scripts/env-example.ts > .env.example)', async () => {
  expect(await readFile(join(projectFolder, '.env.example'), 'utf8')).toBe(environmentExample())
})

test('no setting of one program is reported as a misspelled one of another', () => {
  const lines = [...environmentExample().matchAll(/^#([A-Z_]+)=/gm)]
  const all = Object.fromEntries(lines.map(([, name]) => [name, 'set']))
  expect(Object.keys(all).length).toBeGreaterThan(50)
  for (const { shape } of [AccountSettings, SsoSettings])
    expect(misspelledSettings(all, Object.keys(shape))).toEqual([])
})
