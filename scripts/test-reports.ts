import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { projectFolder } from './start/data-directory.ts'

/** How many tests passed, and which failed, by file and name. */
export interface Report {
  passed: number
  failures: string[]
}

/** Reads what Vitest's reporter `json` wrote: first the tests that failed, then files that failed as a whole, as when they do not load. */
export async function vitestReport(file: string): Promise<Report> {
  const { numPassedTests, testResults }: VitestResults = JSON.parse(await readFile(file, 'utf8'))
  const failed = testResults.filter(hasFailed).map(({ name, assertionResults }) => ({
    path: relative(projectFolder, name),
    tests: assertionResults.filter(hasFailed),
  }))
  const tests = failed.flatMap(({ path, tests }) => tests.map(({ fullName }) => `${path}: ${fullName}`))
  const files = failed.filter(({ tests }) => tests.length === 0).map(({ path }) => path)
  return { passed: numPassedTests, failures: [...tests, ...files] }
}

const hasFailed = ({ status }: { status: string }) => status === 'failed'

interface VitestResults {
  numPassedTests: number
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[]
}

/** Reads what Playwright's reporter `json` wrote. A test that passed only when tried again counts as failed. */
export async function playwrightReport(file: string): Promise<Report> {
  const { stats, suites }: PlaywrightResults = JSON.parse(await readFile(file, 'utf8'))
  const failures = suites
    .flatMap(specsOf)
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
  return { passed: stats.expected, failures: failures.map(({ file, line, title }) => `e2e/${file}:${line}: ${title}`) }
}

interface PlaywrightResults {
  stats: { expected: number }
  suites: PlaywrightSuite[]
}

interface PlaywrightSuite {
  specs: { file: string; line: number; title: string; tests: { status: string }[] }[]
  suites?: PlaywrightSuite[]
}

function specsOf({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...specs, ...suites.flatMap(specsOf)]
}
