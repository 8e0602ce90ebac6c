import { expect, test } from 'vitest'
import { coverageFaults, fileFaults, testTitles } from './coverage.rules.ts'

const page = 'docs/coverage/000.md'

const tests = new Map([
  ['apps/one/src/orders.test.ts', ['an order has its lines', '%s=%s is refused', '$actor on $target', 'costs 5%']],
  ['apps/two/src/orders.test.ts', ['an order has its lines']],
  ['e2e/orders.journey.ts', [`\${width} px: nothing overflows`]],
])

const table = (...rows: string[]) => ['Text.', '', '| what | shown by |', '|---|---|', ...rows, '', 'More.'].join('\n')
const faultsOf = (...rows: string[]) => coverageFaults(page, table(...rows), tests)

test('rows that name existing tests have no fault', () => {
  expect(
    faultsOf(
      '| lines | `one/src/orders.test.ts: an order has its lines` |',
      '| `page`, `pageSize` | `one/src/orders.test.ts: %s=%s is refused`, `e2e/orders.journey.ts: $' +
        '{width} px: nothing overflows` |',
      '| roles | see `one/src/orders.test.ts: $actor on` |',
    ),
  ).toEqual([])
})

test.each([
  ['one/src/orders.test.ts: an order has its lime', 'has no test “an order has its lime”'],
  ['one/src/orders.test.ts: an order has', 'has no test “an order has”'],
  ['one/src/orders.test.ts: costs', 'has no test “costs”'],
  ['one/src/invoices.test.ts: an order has its lines', 'one/src/invoices.test.ts does not exist'],
  ['rs.test.ts: an order has its lines', 'rs.test.ts does not exist'],
  ['src/orders.test.ts: an order has its lines', 'may be apps/one/src/orders.test.ts or apps/two/src/orders.test.ts'],
  ['one/src/orders.test.ts', 'does not name a test'],
])('%s: %s', (name, fault) => {
  const [found, ...others] = faultsOf(
    '| right | `two/src/orders.test.ts: an order has its lines` |',
    `| x | \`${name}\` |`,
  )
  expect(found).toContain(`${page}:6 (x)`)
  expect(found).toContain(fault)
  expect(others).toEqual([])
})

test.each(['| lines | |', '| lines |  |', '| lines | later |'])('a row without a test is a fault: %s', (row) => {
  expect(faultsOf(row)).toEqual([`${page}:5 (lines): no test is named`])
})

test('a page without rows is a fault', () => {
  expect(faultsOf()).toEqual([`${page} has no rows`])
})

test('a page that names files alone has a fault for each that does not exist', () => {
  const page = 'docs/coverage.md'
  const text = '| orders | listed | `one/src/orders.test.ts`, `orders.journey.ts`, `gone.test.ts` |'
  expect(fileFaults(page, text, tests)).toEqual([`${page}: gone.test.ts does not exist`])
})

test('titles are found in every form of a test, with any quotes', () => {
  const source = `
    test('it’s one', async () => {})
    test("two, with 'quotes'", () => {})
    test.each([['a', 1], ['b)', 2]])('three: %s', (name) => {})
    test.each<[string, number]>([
      ['c', 3],
    ])('four: %s', async (name) => {})
    test.skipIf(isWindows())('five', () => {})
    for (const width of widths) test(\`\${width} px: six\`, async ({ page }) => {})
    test.each(names)(
      'seven',
      (name) => {},
    )
    pattern.test('not one', 1)
    test.setTimeout(5)`

  expect(testTitles(source)).toEqual([
    'it’s one',
    "two, with 'quotes'",
    'three: %s',
    'four: %s',
    'five',
    `\${width} px: six`,
    'seven',
  ])
})
