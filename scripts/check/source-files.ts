import { globSync } from 'node:fs'
import { resolve, sep } from 'node:path'

export const projectFolder = resolve(import.meta.dirname, '../..')

/** Source files that match, as paths from the project's folder with forward slashes; installed and built ones left out. */
export function sourceFiles(patterns: readonly string[]): string[] {
  return globSync([...patterns], {
    cwd: projectFolder,
    exclude: (name) => ['node_modules', 'dist', '.data'].includes(name),
  })
    .map((file) => file.split(sep).join('/'))
    .sort()
}
