import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { type ZipEntry, zipStream } from './zip-stream.ts'

test('entries are made one after the other, and are whole', async () => {
  const contents = [randomBytes(300_000), Buffer.alloc(0), randomBytes(10)]
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const [index, content] of contents.entries()) yield { name: `${index}.pdf`, content, isCompressed: index > 0 }
  }
  const files = unzipSync(await buffer(zipStream(entries())))
  expect(Object.keys(files)).toEqual(['0.pdf', '1.pdf', '2.pdf'])
  expect(Object.values(files).map((content) => Buffer.from(content).equals(contents.shift() ?? Buffer.of(0)))).toEqual([
    true,
    true,
    true,
  ])
})

test('an error of an entry ends the stream, so that nobody takes a part for the whole', async () => {
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield { name: 'one.pdf', content: Buffer.from('%PDF') }
    throw new Error('the database is away')
  }
  await expect(buffer(zipStream(entries()))).rejects.toThrow('the database is away')
})

test('a reader that stops ends the making of entries', async () => {
  let made = 0
  let isEnded = false
  async function* entries(): AsyncGenerator<ZipEntry> {
    try {
      for (;;) {
        made += 1
        yield { name: `${made}.pdf`, content: randomBytes(100_000), isCompressed: true }
      }
    } finally {
      isEnded = true
    }
  }
  for await (const _chunk of zipStream(entries())) break
  await expect.poll(() => isEnded).toBe(true)
  expect(made).toBeLessThan(10)
})
