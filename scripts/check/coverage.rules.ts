/** The tests of each file by their titles, as the source writes them. Files are relative to the project folder. */
export type Tests = ReadonlyMap<string, readonly string[]>

/** `test('…', `, `test.each(…)('…', ` and `test.skipIf(…)('…', `, with any quotes. */
const test =
  /(?<![\w.])test(?:\.(?:each|runIf|skipIf)(?:<[^(]*>)?\([\s\S]*?\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g

/** `${width}`, `$code`, `%s`: what stands there is known only when the test runs. */
const parameter = /\$\{|\$[a-z#]|%[a-z#]/i

const tableRow = /^\| (.+?) \| (.*?) ?\|$/
const namedTest = /^(\S+\.(?:test|journey)\.tsx?): (.+)$/

/** The titles of a source file's tests. */
export function testTitles(source: string): string[] {
  return [...source.matchAll(test)].flatMap(([, , title]) => title ?? [])
}

/** What is wrong with a page of `docs/coverage`: a row without a test, or a test that does not exist. */
export function coverageFaults(page: string, markdown: string, tests: Tests): string[] {
  const rows = rowsOf(markdown)
  if (rows.length === 0) return [`${page} has no rows`]

  return rows.flatMap(({ line, what, shownBy }) => {
    const names = [...shownBy.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? [])
    const faults = names.length === 0 ? ['no test is named'] : names.flatMap((name) => nameFault(name, tests) ?? [])
    return faults.map((fault) => `${page}:${line} (${what}): ${fault}`)
  })
}

/** The test files that a page names and that do not exist, or not any more. */
export function fileFaults(page: string, markdown: string, tests: Tests): string[] {
  const named = [...markdown.matchAll(/`(\S+\.(?:test|journey)\.tsx?)`/g)].flatMap(([, path]) => path ?? [])
  return [...new Set(named)].flatMap((path) =>
    filesAt(path, tests).length > 0 ? [] : [`${page}: ${path} does not exist`],
  )
}

/** The rows of all tables, without their heads. */
function rowsOf(markdown: string) {
  const lines = markdown.split('\n')
  return lines.flatMap((text, index) => {
    const [, what, shownBy] = tableRow.exec(text) ?? []
    const isHead = lines[index + 1]?.startsWith('|---') ?? false
    if (what === undefined || shownBy === undefined || isHead || text.startsWith('|---')) return []
    return [{ line: index + 1, what, shownBy }]
  })
}

/** A file is named by as much of the end of its path as no other file has, a test by its title. */
function nameFault(name: string, tests: Tests): string | undefined {
  const [, path, title] = namedTest.exec(name) ?? []
  if (path === undefined || title === undefined) return `“${name}” does not name a test`

  const [file, ...others] = filesAt(path, tests)
  if (file === undefined) return `${path} does not exist`
  if (others.length > 0) return `${path} may be ${[file, ...others].join(' or ')}`
  return tests.get(file)?.some((each) => isNamed(each, title)) ? undefined : `${file} has no test “${title}”`
}

function filesAt(path: string, tests: Tests): string[] {
  return [...tests.keys()].filter((file) => file === path || file.endsWith(`/${path}`))
}

/** A title with parameters may be named by its beginning. */
function isNamed(title: string, name: string): boolean {
  return title === name || (parameter.test(title) && title.startsWith(name))
}
