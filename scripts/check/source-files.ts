import { globSync } from 'node:fs'
import { resolve, sep } from 'node:path'

export const projectFolder = resolve(import.meta.dirname, '../..')

/** Matching source files, relative to the project folder, with forward slashes; without installed and built files. */
export function sourceFiles(patterns: readonly string[]): string[] {
  return globSync([...patterns], {
    cwd: projectFolder,
    exclude: (name) => ['node_modules', 'dist', '.data'].includes(name),
  })
    .map((file) => file.split(sep).join('/'))
    .sort()
}
