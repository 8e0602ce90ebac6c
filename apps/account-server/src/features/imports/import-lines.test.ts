import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Line } from '../../db/importer.ts'
import { importLines, type Refusal } from './import-lines.ts'

async function read(...lines: string[]): Promise<(Line | Refusal)[]> {
  const read: (Line | Refusal)[] = []
  for await (const line of importLines(Readable.from([Buffer.from(lines.join('\n'))]))) read.push(line)
  return read
}

const member = (fields: object) => JSON.stringify({ type: 'member', email: 'a@import.test', ...fields })

test('a line separator inside a text is no line end, and the numbers stay those of the file', async () => {
  expect(await read(member({ company: 'One\u2028Two' }), '', 'no json')).toMatchObject([
    { number: 1, record: { company: 'One\u2028Two' } },
    { line: 3, field: '', reason: 'is no JSON' },
  ])
})

test('what is no text is refused however it is written, in values and in keys', async () => {
  const lines = await read(
    String.raw`{"type":"member","email":"a@import.test","company":"half \ud800"}`,
    String.raw`{"type":"member","email":"a@import.test","half \ud800":1}`,
    String.raw`{"type":"member","email":"a@import.test","company":"nul \u0000"}`,
    // Two backslashes: the six characters themselves, which are text.
    String.raw`{"type":"member","email":"a@import.test","company":"\\u0000 \ud83d\ude00"}`,
  )

  const reason = 'has characters that are no text'
  expect(lines).toMatchObject([
    { line: 1, field: 'company', reason },
    { line: 2, field: '', reason },
    { line: 3, field: 'company', reason },
    { number: 4, record: { company: String.raw`\u0000 😀` } },
  ])
})

test('a line that is too long is refused once, and the next one is read', async () => {
  expect(await read(member({ company: 'x'.repeat(2_000_000) }), member({}))).toMatchObject([
    { line: 1, field: '', reason: 'is longer than 1000000 bytes' },
    { number: 2, record: { email: 'a@import.test' } },
  ])
})

test('what nests without end is refused by its line', async () => {
  const deep = `{"type":"member","email":"a@import.test","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect(await read(deep, member({}))).toMatchObject([{ line: 1 }, { number: 2 }])
})
