import { open } from 'node:fs/promises'

/** How files begin that are of another kind: byte order marks of UTF-16, and what gzip and zip begin with. */
const beginnings: readonly (readonly [bytes: readonly number[], sentence: string])[] = [
  [[0xff, 0xfe], 'is UTF-16. Save it as UTF-8.'],
  [[0xfe, 0xff], 'is UTF-16. Save it as UTF-8.'],
  [[0x1f, 0x8b], 'is compressed with gzip. Unpack it first.'],
  [[0x50, 0x4b, 0x03, 0x04], 'is a zip archive, or a spreadsheet. Unpack it, or save its records as NDJSON.'],
]

/** JSON over several lines, of which none is a record. */
const document = /^\uFEFF?\s*(\[|\{)\s*\r?\n/

/** Why a whole file cannot be read as records, as the end of a sentence; nothing where its lines say more. */
export async function fileFault(path: string): Promise<string | undefined> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
  if (bytesRead === 0) return 'is empty.'
  const known = beginnings.find(([bytes]) => bytes.every((byte, place) => buffer[place] === byte))
  if (known) return known[1]
  return document.test(buffer.toString('utf8', 0, bytesRead))
    ? 'is one JSON document over several lines. Each record must be a line of its own (NDJSON).'
    : undefined
}
