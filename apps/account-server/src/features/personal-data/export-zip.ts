import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ExportedFile, PersonalExport } from './export-member.service.ts'

interface Content extends PersonalExport {
  /** Of the single sign-on; undefined: it is not ours. */
  signOn: object | undefined
  /** The content of a file, read when it is its turn. */
  read(file: ExportedFile): Promise<Buffer>
}

/** `account.json`, `sign-on.json`, and the invoices, as a stream. An error of `read` ends the stream. */
export function exportZip({ data, signOn, files, read }: Content): Readable {
  const zip = new ZipFile()
  const output = Readable.from(zip.outputStream, { objectMode: false })
  zip.on('error', (error: Error) => output.destroy(error))
  zip.addBuffer(json(data), 'account.json')
  if (signOn) zip.addBuffer(json(signOn), 'sign-on.json')
  for (const file of files) {
    zip.addReadStreamLazy(file.name, { compress: false }, (answer) => {
      read(file).then(
        (content) => answer(null, Readable.from([content])),
        (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
      )
    })
  }
  zip.end()
  return output
}

function json(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)
}
