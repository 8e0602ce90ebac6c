import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder, sourceFiles } from './check/source-files.ts'

const folders = '{apps,packages,e2e,faults,bench,scripts,demo}'

test('every page that the code names is in this project', () => {
  const unknown = sourceFiles([`${folders}/**/*.{ts,tsx,css}`]).flatMap((file) => {
    const named = readFileSync(join(projectFolder, file), 'utf8').matchAll(/[\w./-]+\.md\b(?!\.)/g)
    const isThere = (page: string) =>
      existsSync(join(projectFolder, page)) || existsSync(join(projectFolder, dirname(file), page))
    return [...named].filter(([page]) => !isThere(page)).map(([page]) => `${file}: ${page}`)
  })
  expect(unknown).toEqual([])
})
