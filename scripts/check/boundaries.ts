import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importFaults } from './import-faults.ts'
import { projectFolder, sourceFiles } from './source-files.ts'

const sources = sourceFiles(['{apps,packages,bench,faults}/**/*.{ts,tsx}'])
const faults = sources.flatMap((file) => importFaults(file, readFileSync(join(projectFolder, file), 'utf8')))

process.stdout.write(
  faults.length === 0 ? `${sources.length} files keep to their boundaries.\n` : `${faults.join('\n')}\n`,
)
process.exitCode = faults.length === 0 ? 0 : 1
