import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environmentExample } from './env-example.ts'
import { projectFolder } from './start/data-directory.ts'

test('.env.example names every setting of every program (else: node scripts/env-example.ts > .env.example)', async () => {
  expect(await readFile(join(projectFolder, '.env.example'), 'utf8')).toBe(environmentExample())
})
