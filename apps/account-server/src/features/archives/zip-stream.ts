import { setImmediate } from 'node:timers/promises'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

export interface ZipEntry {
  /** Path within the ZIP. */
  name: string
  content: Buffer
  /** Of a file that is compressed already, such as a PDF. */
  isCompressed?: boolean
}

/** A ZIP without ZIP64 fields is smaller. */
const mostZipBytes = 2 ** 32

/** Bytes that are compressed in one go; other requests are answered in between. */
const pieceBytes = 256 * 1024

/**
 * A ZIP, piece by piece. Each entry is made when the one before has been read, so that one at a time is in memory. An error of
 * `entries` ends it; a reader that stops ends `entries`.
 * @throws Error when it would have 4 GB or more
 */
export async function* zipStream(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  let size = 0
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    made.push(bytes)
    size += bytes.length
    if (size >= mostZipBytes) throw new Error('a ZIP has 4 GB or more')
  })
  for await (const { name, content, isCompressed = false } of entries) {
    const file = isCompressed ? new ZipPassThrough(name) : new ZipDeflate(name)
    zip.add(file)
    for (let start = 0; start < content.length; start += pieceBytes) {
      file.push(content.subarray(start, start + pieceBytes))
      yield* made.splice(0)
      await setImmediate()
    }
    file.push(Buffer.alloc(0), true)
    yield* made.splice(0)
  }
  zip.end()
  yield* made.splice(0)
}
