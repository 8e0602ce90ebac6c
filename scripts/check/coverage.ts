import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { coverageFaults, fileFaults, testTitles } from './coverage.rules.ts'
import { projectFolder, sourceFiles } from './source-files.ts'

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8')

const testFiles = sourceFiles(['{apps,packages,e2e,scripts,demo}/**/*.{test,journey}.{ts,tsx}'])
const tests = new Map(testFiles.map((file) => [file, testTitles(read(file))]))

const pages = ['docs/coverage/000.md', 'docs/coverage/001.md']
const overview = 'docs/coverage.md'
const faults = [
  ...pages.flatMap((page) => coverageFaults(page, read(page), tests)),
  ...fileFaults(overview, read(overview), tests),
]

process.stdout.write(
  faults.length === 0 ? 'Each line of both specifications names tests that exist.\n' : `${faults.join('\n')}\n`,
)
process.exitCode = faults.length === 0 ? 0 : 1
