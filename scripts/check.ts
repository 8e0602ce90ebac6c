import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { projectFolder } from './check/source-files.ts'

/** Each further checker works out again most of the types that the others know: four take twice the time of a processor that one does. */
const tsc = ['tsc', '--checkers', '1', '-p'] as const

/** The static checks. All of them run, even if one fails. */
const checks = [
  ['Types of the servers', ...tsc, 'tsconfig.json'],
  ['Types of the pages', ...tsc, 'tsconfig.web.json'],
  ['Format and lint', 'biome', 'ci', '--error-on-warnings', '.'],
  ['Boundaries', 'node', 'scripts/check/boundaries.ts'],
  ['Dead code', 'knip', '--no-progress', '--treat-config-hints-as-errors'],
  ['Translations', 'node', 'scripts/check/locales.ts'],
  ['Coverage of the specifications', 'node', 'scripts/check/coverage.ts'],
] as const

const installed = join(projectFolder, 'node_modules/.bin')
const env = { ...process.env, PATH: `${installed}${delimiter}${process.env.PATH ?? ''}` }

const failed = checks.filter(([title, command, ...parameters]) => {
  process.stdout.write(`\n── ${title}\n`)
  const { status, error } = spawnSync(command, parameters, {
    cwd: projectFolder,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (error) process.stderr.write(`${command} cannot be run: ${error.message}\n`)
  else if (status === 0) process.stdout.write('✓ no faults\n')
  return status !== 0
})

process.stdout.write(
  failed.length === 0 ? '\nAll checks passed.\n' : `\nFailed checks: ${failed.map(([title]) => title).join(', ')}.\n`,
)
process.exitCode = failed.length === 0 ? 0 : 1
