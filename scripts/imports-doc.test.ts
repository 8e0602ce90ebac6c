import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importTables } from './imports-doc.ts'
import { projectFolder } from './start/data-directory.ts'

test('docs/imports.md describes every type of record as its schema does', async () => {
  expect(await readFile(join(projectFolder, 'docs/imports.md'), 'utf8')).toContain(importTables())
})
