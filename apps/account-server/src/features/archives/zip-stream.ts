import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export interface ZipEntry {
  /** Path within the ZIP. */
  name: string
  content: Buffer
  /** Of a file that is compressed already, such as a PDF. */
  isCompressed?: boolean
}

/**
 * A ZIP as a stream. Each entry is made when the one before has been read, so that one at a time is in memory. An error of `entries` ends
 * the stream; a reader that stops ends `entries`.
 */
export function zipStream(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile()
  // Of its own, since one that reads the other by iteration cannot be destroyed while it waits.
  const output = zip.outputStream.pipe(new PassThrough())
  zip.on('error', (error: Error) => output.destroy(error))
  addAll(zip, output, entries).catch((error: unknown) => {
    output.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  return output
}

async function addAll(zip: ZipFile, output: Readable, entries: AsyncIterable<ZipEntry>): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    output.once('close', resolve)
  })
  for await (const entry of entries) {
    await Promise.race([add(zip, entry), closed])
    if (output.destroyed) return
  }
  zip.end()
}

/** @returns when the whole entry was read */
async function add(zip: ZipFile, { name, content, isCompressed = false }: ZipEntry): Promise<void> {
  const stream = Readable.from([content])
  const read = once(stream, 'end')
  zip.addReadStreamLazy(name, { compress: !isCompressed }, (answer) => answer(null, stream))
  await read
}
