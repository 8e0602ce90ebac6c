import { expect, test } from 'vitest'
import { type FileLine, linesOf } from './lines.ts'
import { usedMemory } from './test-memory.ts'

async function* inChunks(bytes: Buffer, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function read(input: AsyncIterable<Uint8Array>, longest = 10): Promise<FileLine[]> {
  const lines: FileLine[] = []
  for await (const line of linesOf(input, longest)) lines.push(line)
  return lines
}

test('only a line feed ends a line, wherever chunks are cut', async () => {
  const bytes = Buffer.from('\uFEFFfür\r\n\na\u2028b\u2029c\u0085\rd')
  for (const size of [1, 2, 3, 100]) {
    expect(await read(inChunks(bytes, size), 20)).toEqual([
      { number: 1, text: 'für' },
      { number: 2, text: '' },
      { number: 3, text: 'a\u2028b\u2029c\u0085\rd' },
    ])
  }
})

test('a final line feed begins no line, and an empty file has none', async () => {
  expect(await read(inChunks(Buffer.from('a\n'), 1))).toEqual([{ number: 1, text: 'a' }])
  expect(await read(inChunks(Buffer.from(''), 1))).toEqual([])
})

test('a line that is too long or not UTF-8 has a number and a fault, no text', async () => {
  const bytes = Buffer.concat([
    Buffer.from('0123456789\n01234567890\n'),
    Buffer.from([0x61, 0xff, 0x0a]),
    Buffer.from('next\n01234567890123456789'),
  ])
  for (const size of [1, 7, 100]) {
    expect(await read(inChunks(bytes, size))).toEqual([
      { number: 1, text: '0123456789' },
      { number: 2, fault: 'is longer than 10 bytes' },
      { number: 3, fault: 'is not UTF-8' },
      { number: 4, text: 'next' },
      { number: 5, fault: 'is longer than 10 bytes' },
    ])
  }
})

test('a line of any length takes no more memory than the longest allowed', async () => {
  async function* endless() {
    const chunk = Buffer.alloc(1_000_000, 'x')
    for (let count = 0; count < 300; count += 1) yield Buffer.from(chunk)
    yield Buffer.from('\nnext')
  }
  const before = usedMemory()
  let most = 0
  for await (const { number } of linesOf(watched(endless()), 1_000_000)) expect(number).toBeLessThan(3)

  async function* watched(input: AsyncIterable<Uint8Array>) {
    let chunks = 0
    for await (const chunk of input) {
      chunks += 1
      if (chunks % 50 === 0) most = Math.max(most, usedMemory() - before)
      yield chunk
    }
  }
  // The line itself has 300 MB, and twice that as text; buffers are released a little later.
  expect(most).toBeLessThan(100_000_000)
})
