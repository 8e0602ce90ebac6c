import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { folioRecords } from './folio.ts'

/** `node demo/write.ts > folio.ndjson`: the demo vendor as a file to import, one record a line. */
const lines = Readable.from(folioRecords(new Date())).map((entry) => `${JSON.stringify(entry)}\n`)
await pipeline(lines, process.stdout)
