import { type ZipEntry, zipStream } from '../archives/zip-stream.ts'
import type { ExportedFile, PersonalExport } from './export-member.service.ts'

interface Content extends PersonalExport {
  /** Of the single sign-on; undefined: it is not ours. */
  signOn: object | undefined
  /** The content of a file, read when it is its turn. */
  read(file: ExportedFile): Promise<Buffer>
}

/** `account.json`, `sign-on.json`, and the invoices, piece by piece. An error of `read` ends it. */
export function exportZip(content: Content): AsyncGenerator<Uint8Array> {
  return zipStream(entriesOf(content))
}

async function* entriesOf({ data, signOn, files, read }: Content): AsyncGenerator<ZipEntry> {
  yield { name: 'account.json', content: json(data) }
  if (signOn) yield { name: 'sign-on.json', content: json(signOn) }
  for (const file of files) yield { name: file.name, content: await read(file), isCompressed: true }
}

function json(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)
}
