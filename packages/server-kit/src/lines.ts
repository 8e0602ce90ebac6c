import { isUtf8 } from 'node:buffer'

/** A line by number (from 1): its text without the line end, or why it has none. */
export type FileLine = { number: number; text: string } | { number: number; fault: string }

const lineFeed = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = '\uFEFF'

/**
 * Splits UTF-8 at line feeds (and CRLF) only. readline also splits at U+2028, which is valid in JSON. A line of more than
 * `longest` bytes is discarded, so that a file without line ends does not fill the memory.
 */
export async function* linesOf(
  input: AsyncIterable<Uint8Array | string>,
  longest: number,
): AsyncGenerator<FileLine, void> {
  let number = 1
  let parts: Buffer[] = []
  let length = 0

  const add = (part: Buffer) => {
    length += part.length
    if (length <= longest) parts.push(part)
    else parts = []
  }
  const end = (): FileLine => {
    const line = length <= longest ? lineFrom(number, Buffer.concat(parts)) : tooLong(number, longest)
    number += 1
    parts = []
    length = 0
    return line
  }

  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    let start = 0
    for (let stop = bytes.indexOf(lineFeed); stop !== -1; stop = bytes.indexOf(lineFeed, start)) {
      add(bytes.subarray(start, stop))
      yield end()
      start = stop + 1
    }
    if (start < bytes.length) add(bytes.subarray(start))
  }
  if (length > 0) yield end()
}

function lineFrom(number: number, bytes: Buffer): FileLine {
  if (!isUtf8(bytes)) return { number, fault: 'is not UTF-8' }
  const text = bytes.toString('utf8', 0, bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length)
  return { number, text: number === 1 && text.startsWith(byteOrderMark) ? text.slice(1) : text }
}

function tooLong(number: number, longest: number): FileLine {
  return { number, fault: `is longer than ${longest} bytes` }
}
