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

/** Runs the checks beside unit and integration tests on a real database, then journeys in a real browser. */
export async function runTests(): Promise<Counts> {
  await mkdir(results, { recursive: true })
  // Together: the tests spend half of their time waiting for programs, jobs and databases.
  const [checked, tested] = await Promise.all([check(), unitsAndIntegration()])
  const seen = await journeys()
  const counts = [checked, tested, seen]
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  }
}

/** Prints everything at its end, so that it is not mixed with other lines. */
async function check(): Promise<Counts> {
  const printed: Buffer[] = []
  const code = await run(process.execPath, [join(projectFolder, 'scripts/check.ts')], { printed })
  process.stdout.write(Buffer.concat(printed))
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
    env: { ATRIUM_BROWSER: browser.path },
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

interface How {
  env?: NodeJS.ProcessEnv
  /** Collects what the command prints; undefined: it prints here. */
  printed?: Buffer[]
}

function run(command: string, parameters: string[], { env, printed }: How = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, {
      cwd: projectFolder,
      stdio: printed ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, ...compileCache, ...env },
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => printed?.push(part))
    child.once('close', (code) => resolve(code ?? 1))
    child.once('error', () => resolve(1))
  })
}
