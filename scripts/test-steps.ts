import './environment-file.ts'
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findBrowser } from './browser.ts'
import { projectFolder } from './start/data-directory.ts'
import { nameOf, playwrightReport, type Report, vitestReport } from './test-reports.ts'

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
  const reports = [checked, tested, seen]
  sayTheSlowest(reports.flatMap(({ times }) => times))
  const failures = reports.flatMap((report) => report.failures)
  // Named again at the end, since they get lost among thousands of lines.
  for (const failure of failures) {
    const { reason = '' } = failure
    process.stdout.write(`✗ ${nameOf(failure)}\n  ${reason.replaceAll('\n', '\n  ')}\n`)
  }
  return { passed: reports.reduce((sum, { passed }) => sum + passed, 0), failed: failures.length }
}

/** Of all times, since whoever makes a run shorter begins there. */
function sayTheSlowest(times: Report['times']): void {
  const slowest = times.toSorted((one, other) => other.seconds - one.seconds).slice(0, 20)
  process.stdout.write('\nThe slowest, in seconds\n')
  for (const { name, seconds } of slowest) process.stdout.write(`${seconds.toFixed(1).padStart(6)} ${name}\n`)
}

/** Prints everything at its end, so that it is not mixed with other lines. */
async function check(): Promise<Report> {
  const printed: Buffer[] = []
  const code = await run(process.execPath, [join(projectFolder, 'scripts/check.ts')], { printed })
  process.stdout.write(Buffer.concat(printed))
  const failures = code === 0 ? [] : [{ file: 'scripts/check.ts' }]
  return { passed: 1 - failures.length, failures, times: [] }
}

async function unitsAndIntegration(): Promise<Report> {
  const file = join(results, 'vitest.json')
  const code = await run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile=${file}`])
  return atLeastOneFailure('vitest', code, await vitestReport(file))
}

async function journeys(): Promise<Report> {
  const browser = await findBrowser()
  process.stdout.write(`\nJourneys in ${browser.path} (${browser.origin})\n`)
  const code = await run(bin('playwright'), ['test', '--config', 'e2e/playwright.config.ts'], {
    env: { ATRIUM_BROWSER: browser.path },
  })
  return atLeastOneFailure('playwright', code, await playwrightReport(join(results, 'journeys.json')))
}

/** Counts a runner that failed without a failed test, such as for a fault in its own set-up. */
function atLeastOneFailure(runner: string, code: number, report: Report): Report {
  const hasUnnamed = code !== 0 && report.failures.length === 0
  return hasUnnamed ? { ...report, failures: [{ file: runner }] } : report
}

/** The tests start hundreds of programs: with their compiled code stored and imports remembered, each starts in a third of the time. */
const quickStarts = {
  NODE_COMPILE_CACHE: join(projectFolder, 'node_modules/.cache/node'),
  NODE_OPTIONS: `--import=${import.meta.resolve('./remembered-imports.ts')}`,
}

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
      env: { ...process.env, ...quickStarts, ...env },
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => printed?.push(part))
    child.once('close', (code) => resolve(code ?? 1))
    child.once('error', () => resolve(1))
  })
}
