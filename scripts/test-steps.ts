import './environment-file.ts'
import { spawn } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findBrowser } from './browser.ts'
import { projectFolder } from './start/data-directory.ts'

export interface Counts {
  passed: number
  failed: number
}

const results = join(projectFolder, 'test-results')
const bin = (name: string) => join(projectFolder, 'node_modules/.bin', name)

/** Runs the checks, then unit and integration tests on a real database, then journeys in a real browser. */
export async function runTests(): Promise<Counts> {
  await mkdir(results, { recursive: true })
  const total: Counts = { passed: 0, failed: 0 }
  for (const step of [check, unitsAndIntegration, journeys]) {
    const { passed, failed } = await step()
    total.passed += passed
    total.failed += failed
  }
  return total
}

async function check(): Promise<Counts> {
  const code = await run(process.execPath, [join(projectFolder, 'scripts/check.ts')])
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function unitsAndIntegration(): Promise<Counts> {
  const report = join(results, 'vitest.json')
  const code = await run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile=${report}`])
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(await readFile(report, 'utf8'))
  return atLeastOneFailure(code, {
    passed: numPassedTests,
    failed: Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0),
  })
}

async function journeys(): Promise<Counts> {
  const browser = await findBrowser()
  process.stdout.write(`\nJourneys in ${browser.path} (${browser.origin})\n`)
  const code = await run(bin('playwright'), ['test', '--config', 'e2e/playwright.config.ts'], {
    ATRIUM_BROWSER: browser.path,
  })
  const { stats } = JSON.parse(await readFile(join(results, 'journeys.json'), 'utf8'))
  return atLeastOneFailure(code, { passed: stats.expected, failed: stats.unexpected + stats.flaky })
}

/** Counts a runner that failed without a failed test, such as for a file that does not load. */
function atLeastOneFailure(code: number, { passed, failed }: Counts): Counts {
  return { passed, failed: code === 0 ? failed : Math.max(1, failed) }
}

/** The tests start hundreds of programs: with their compiled code stored, each starts in two thirds of the time. */
const compileCache = { NODE_COMPILE_CACHE: join(projectFolder, 'node_modules/.cache/node') }

function run(command: string, parameters: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return new Promise((resolve) => {
    const stored = { ...process.env, ...compileCache, ...env }
    const child = spawn(command, parameters, { cwd: projectFolder, stdio: 'inherit', env: stored })
    child.once('exit', (code) => resolve(code ?? 1))
    child.once('error', () => resolve(1))
  })
}
