import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { ImportRecord } from '@atrium/contract/imports.ts'
import { isWholeText } from '@atrium/server-kit/text.ts'
import type { Line } from '../../db/importer.ts'

/** A line that is not applied: its number (from 1), the field where one is to blame, and why. */
export interface Refusal {
  line: number
  field: string
  reason: string
}

/** Longer than any record; a file without line ends must not fill the memory. */
const longestLine = 1_000_000

/** Reads NDJSON in constant memory: good lines and refused ones, in order. Empty lines are passed over. */
export async function* importLines(input: Readable): AsyncGenerator<Line | Refusal> {
  let number = 0
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    if (text.trim() !== '') yield parseLine(number, text)
  }
}

function parseLine(number: number, text: string): Line | Refusal {
  if (text.length > longestLine) return { line: number, field: '', reason: `is longer than ${longestLine} characters` }
  // A NUL can also stand escaped; PostgreSQL takes neither.
  if (!isWholeText(text) || /\\u0000/i.test(text)) {
    return { line: number, field: '', reason: 'has characters that are no text' }
  }

  const json = parseJson(text)
  if (json === undefined) return { line: number, field: '', reason: 'is no JSON' }

  const parsed = ImportRecord.safeParse(json)
  if (parsed.success) return { number, record: parsed.data }
  const [issue] = parsed.error.issues
  return { line: number, field: issue?.path.join('.') ?? '', reason: issue?.message ?? 'is not valid' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
