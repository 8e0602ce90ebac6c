import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles } from './check/source-files.ts'
import { projectFolder } from './start/data-directory.ts'

const read = (file: string) => readFile(join(projectFolder, file), 'utf8')

/** Metric names of a rule's expression: what stands before a selector or a range. */
const metricsOf = (expression: string) =>
  [...expression.matchAll(/\b([a-z_]+?)(?:_count|_bucket)?(?=[{[])/g)].map(([, name = '']) => name)

test('every alert is about a metric that the programs have and the manual describes', async () => {
  const rules = await read('deploy/prometheus/atrium.rules.yml')
  const expressions = [...rules.matchAll(/^ {8}expr:(.*?)^ {8}[a-z]+:/gms)].map(([, expression = '']) => expression)
  const alerts = rules.match(/^ {6}- alert: /gm) ?? []
  expect(expressions.length).toBe(alerts.length)

  const used = new Set(expressions.flatMap(metricsOf))
  used.delete('up')
  const manual = await read('docs/operations.md')
  const described = [...manual.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name)
  expect([...used].sort()).toEqual(
    [
      ...['database_connections', 'http_request_duration_seconds', 'jobs_stored'],
      ...['provider_operations_unresolved', 'unmatched_purchases'],
    ].sort(),
  )
  expect(described).toEqual(expect.arrayContaining([...used]))

  const sources = await Promise.all(sourceFiles(['apps/**/*.ts', 'packages/**/*.ts']).map(read))
  const declared = sources.flatMap((text) =>
    [...text.matchAll(/name: '([a-z_]+)',\n\s+help:/g)].map(([, name]) => name),
  )
  expect(declared).toEqual(expect.arrayContaining([...used]))
})
