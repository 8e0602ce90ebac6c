import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordBytes, recordFile } from './record-file.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-record-file-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fileOf(content: string | Buffer): Promise<string> {
  const path = join(folder, 'some.ndjson')
  await writeFile(path, content)
  return path
}

const record = '{"type":"member","email":"a@file.test"}'

/** As Windows writes it where it is asked for big-endian. */
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

const utf16 = 'is UTF-16. Save it as UTF-8.'
const document = 'is one JSON document over several lines. Each record must be a line of its own (NDJSON).'
const list = 'is one JSON list. Each record must be a line of its own (NDJSON).'
const blank = 'has nothing but blank lines.'

test.each<[string, string | Buffer, string]>([
  ['nothing', '', 'is empty.'],
  ['line ends', '\n\r\n\n', blank],
  ['blanks and line ends, more than one reads at once', ' \t\r\n'.repeat(200_000), blank],
  ['a byte order mark', '\uFEFF', blank],
  ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${record}`, 'utf16le'), utf16],
  ['big-endian UTF-16 with one', utf16be(`\uFEFF${record}`), utf16],
  ['UTF-16 without one', Buffer.from(record, 'utf16le'), utf16],
  ['big-endian UTF-16 without one', utf16be(record), utf16],
  ['a blank line in UTF-16', Buffer.from(`\n${record}`, 'utf16le'), utf16],
  ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), 'is compressed with gzip. Unpack it first.'],
  [
    'zip',
    Buffer.from('PK\u0003\u0004'),
    'is a zip archive, or a spreadsheet. Unpack it, or save its records as NDJSON.',
  ],
  ['a list over several lines', `[\n  ${record}\n]`, document],
  ['an object over several lines', '{\r\n  "type": "member"\r\n}', document],
  ['a list with its records on lines', `[${record},\n${record}]`, list],
  ['a list on one line', `[${record},${record}]`, list],
  ['a list after blank lines', `${'\n'.repeat(100_000)}  [${record}]`, list],
  ['a list after a byte order mark', `\uFEFF[${record}]`, list],
])('a file of another kind is named: %s', async (_kind, content, sentence) => {
  const path = await fileOf(content)
  await expect(recordFile(path)).rejects.toThrow(`${path} ${sentence}`)
})

test.each([
  record,
  `\uFEFF${record}\r\n`,
  `\n \n${record}`,
  // The line's own fault, which its number and reason say.
  'no record',
  '{"type":"member",\n',
])('a file whose lines say more is read: %j', async (content) => {
  expect(await recordFile(await fileOf(content))).toEqual({ size: Buffer.byteLength(content) })
})

test('what is no file that can be read is named', async () => {
  await expect(recordFile(folder)).rejects.toThrow(`${folder} is a folder, not a file.`)
  const nowhere = join(folder, 'nowhere.ndjson')
  await expect(recordFile(nowhere)).rejects.toThrow(`There is no file ${nowhere}.`)
  const below = join(await fileOf(record), 'below')
  await expect(recordFile(below)).rejects.toThrow(`There is no file ${below}.`)
})

test.each([1, 3, 256, 1000])('every byte is handed on, in chunks of %d', async (size) => {
  const content = Buffer.from(`${'\n'.repeat(700)}${record}\n`.repeat(20))
  const chunks = Array.from({ length: Math.ceil(content.length / size) }, (_, index) =>
    content.subarray(index * size, (index + 1) * size),
  )
  const read = await Readable.from(recordBytes('a.ndjson', Readable.from(chunks))).toArray()
  expect(Buffer.concat(read)).toEqual(content)
})

test('a byte at a time, another kind is named all the same', async () => {
  const bytes = [...Buffer.from(`\n[${record}]`)].map((byte) => Buffer.from([byte]))
  await expect(Readable.from(recordBytes('pipe', Readable.from(bytes))).toArray()).rejects.toThrow(`pipe ${list}`)
})
