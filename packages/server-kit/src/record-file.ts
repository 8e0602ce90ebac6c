import { constants, createReadStream } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { UsageError } from './usage-error.ts'

/** Bytes, from the first that are not blank, by which a file is known. */
const headLength = 256

/**
 * Finds an import file, and looks whether its lines can be records at all. A named pipe is read once: of that, `recordBytes`
 * says so.
 * @returns its size in bytes
 * @throws UsageError
 */
export async function recordFile(path: string): Promise<{ size: number }> {
  const found = await readableFile(path)
  if (found.isDirectory()) throw new UsageError(`${path} is a folder, not a file.`)
  if (found.isFile()) {
    for await (const chunk of recordBytes(path, createReadStream(path))) if (withoutBlanks(chunk) !== '') break
  }
  return { size: found.size }
}

/** Asked for and not opened: to open a named pipe would wait for its writer. */
async function readableFile(path: string) {
  try {
    await access(path, constants.R_OK)
    return await stat(path)
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'EACCES'
    throw new UsageError(
      isDenied ? `${path} cannot be read by the user who runs this command.` : `There is no file ${path}.`,
    )
  }
}

/**
 * Hands the bytes of an import file on, and looks at the first ones.
 * @throws UsageError where they are of another kind of file, or all blank
 */
export async function* recordBytes(path: string, input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let head = Buffer.alloc(0)
  let isKnown = false
  let isEmpty = true
  for await (const chunk of input) {
    if (isKnown) {
      yield chunk
      continue
    }
    isEmpty = false
    head = Buffer.concat([head, chunk])
    const { length } = withoutBlanks(head)
    // More is needed to say what it is; blank bytes say nothing, however many.
    if (length > 0 && length < headLength) continue
    if (length > 0) refuseOtherKinds(path, head)
    isKnown = length > 0
    yield head
    head = Buffer.alloc(0)
  }
  if (head.length > 0) {
    refuseOtherKinds(path, head)
    yield head
  } else if (!isKnown) {
    throw new UsageError(`${path} ${isEmpty ? 'is empty.' : 'has nothing but blank lines.'}`)
  }
}

function withoutBlanks(bytes: Buffer): string {
  return bytes.toString('utf8').trimStart()
}

function refuseOtherKinds(path: string, head: Buffer): void {
  const fault = otherEncoding(head) ?? otherJson(withoutBlanks(head))
  if (fault) throw new UsageError(`${path} ${fault}`)
}

/** How files begin that are of another kind: byte order marks of UTF-16, and what gzip and zip begin with. */
const beginnings: readonly (readonly [bytes: readonly number[], sentence: string])[] = [
  [[0xff, 0xfe], 'is UTF-16. Save it as UTF-8.'],
  [[0xfe, 0xff], 'is UTF-16. Save it as UTF-8.'],
  [[0x1f, 0x8b], 'is compressed with gzip. Unpack it first.'],
  [[0x50, 0x4b, 0x03, 0x04], 'is a zip archive, or a spreadsheet. Unpack it, or save its records as NDJSON.'],
]

function otherEncoding(head: Buffer): string | undefined {
  const known = beginnings.find(([bytes]) => bytes.every((byte, place) => head[place] === byte))
  if (known) return known[1]
  // JSON begins with a character of ASCII, which is NUL and itself in UTF-16, in the one order or the other.
  const [first, second] = head
  return (first === 0) !== (second === 0) ? 'is UTF-16. Save it as UTF-8.' : undefined
}

/** JSON of which no line is a record. */
function otherJson(text: string): string | undefined {
  if (/^[[{]\s*\n/.test(text)) {
    return 'is one JSON document over several lines. Each record must be a line of its own (NDJSON).'
  }
  return text.startsWith('[') ? 'is one JSON list. Each record must be a line of its own (NDJSON).' : undefined
}
