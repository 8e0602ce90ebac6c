import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { projectFolder } from './start/data-directory.ts'

/** How many tests passed, which failed, and how long each took. */
export interface Report {
  passed: number
  failures: Failure[]
  times: Time[]
}

interface Time {
  /** Of a file's tests together, or of one journey. */
  name: string
  seconds: number
}

export interface Failure {
  /** Path within the project. */
  file: string
  /** Left out: the file as a whole, as when it does not load. */
  test?: string
  /** The beginning of the message. It has the seed with which generated values can be tried again. */
  reason?: string
}

/** Reads what Vitest's reporter `json` wrote: first the tests that failed, then files that failed as a whole. */
export async function vitestReport(file: string): Promise<Report> {
  const { numPassedTests, testResults }: VitestResults = JSON.parse(await readFile(file, 'utf8'))
  const failed = testResults.filter(hasFailed).map(({ name, assertionResults }) => ({
    path: relative(projectFolder, name),
    tests: assertionResults.filter(hasFailed),
  }))
  const tests = failed.flatMap(({ path, tests }) =>
    tests.map(({ fullName, failureMessages: [message] }) => ({ file: path, test: fullName, reason: begin(message) })),
  )
  const files = failed.filter(({ tests }) => tests.length === 0).map(({ path }) => ({ file: path }))
  const times = testResults.map(({ name, startTime, endTime }) => ({
    name: relative(projectFolder, name),
    seconds: (endTime - startTime) / 1000,
  }))
  return { passed: numPassedTests, failures: [...tests, ...files], times }
}

const hasFailed = ({ status }: { status: string }) => status === 'failed'

const begin = (message = '') => stripVTControlCharacters(message).slice(0, 500)

/** `apps/sso/src/app.test.ts: it starts` */
export function nameOf({ file, test }: Failure): string {
  return test === undefined ? file : `${file}: ${test}`
}

interface VitestResults {
  numPassedTests: number
  testResults: {
    name: string
    status: string
    /** Milliseconds since 1970: when its first test began, and its last one ended. */
    startTime: number
    endTime: number
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

/** Reads what Playwright's reporter `json` wrote. A test that passed only when tried again counts as failed. */
export async function playwrightReport(file: string): Promise<Report> {
  const { stats, suites }: PlaywrightResults = JSON.parse(await readFile(file, 'utf8'))
  const specs = suites.flatMap(specsOf)
  const failed = specs.filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
  const failures = await Promise.all(
    failed.map(async ({ file, line, title, tests }) => ({
      file: `e2e/${file}:${line}`,
      test: title,
      reason: `${begin(messageOf(tests))}\n${await shownWhenFailed(tests)}`,
    })),
  )
  const times = specs.map(({ file, line, title, tests }) => ({
    name: `e2e/${file}:${line}: ${title}`,
    seconds: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0) / 1000,
  }))
  return { passed: stats.expected, failures, times }
}

const messageOf = (tests: PlaywrightTest[]) =>
  tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))[0]?.message

/** What the page showed, in roles and names: a journey that fails once cannot be asked again. */
async function shownWhenFailed(tests: PlaywrightTest[]): Promise<string> {
  const attachments = tests.flatMap(({ results }) => results.flatMap((result) => result.attachments ?? []))
  const path = attachments.find(({ name }) => name === 'error-context')?.path
  if (path === undefined) return ''
  const [, snapshot = ''] = (await readFile(path, 'utf8')).split('```yaml')
  const [shown = ''] = snapshot.split('```')
  const lines = shown.split('\n').filter((line) => !line.includes('- /url:'))
  return lines
    .map((line) => line.replaceAll(/ \[(ref|cursor)=\w+\]/g, ''))
    .join('\n')
    .slice(0, 5000)
}

interface PlaywrightResults {
  stats: { expected: number }
  suites: PlaywrightSuite[]
}

interface PlaywrightSuite {
  specs: { file: string; line: number; title: string; tests: PlaywrightTest[] }[]
  suites?: PlaywrightSuite[]
}

interface PlaywrightTest {
  status: string
  /** `duration` in milliseconds. */
  results: {
    duration: number
    errors: { message?: string }[]
    attachments?: { name: string; path?: string }[]
  }[]
}

function specsOf({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...specs, ...suites.flatMap(specsOf)]
}
