import { ImportRecord } from '@atrium/contract/imports.ts'
import { linesOf } from '@atrium/server-kit/lines.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { refuseBrokenText } from '@atrium/server-kit/text.ts'
import type { Line } from '../../db/importer.ts'

/** A line that is not applied: its number (from 1), the field where one is to blame, and why. */
export interface Refusal {
  line: number
  field: string
  reason: string
}

/** Bytes. Longer than any record; a file without line ends must not fill the memory. */
const longestLine = 1_000_000

/** Reads NDJSON in constant memory: good lines and refused ones, in order. Empty lines are passed over. */
export async function* importLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line | Refusal> {
  for await (const line of linesOf(input, longestLine)) {
    if ('fault' in line) yield { line: line.number, field: '', reason: line.fault }
    else if (line.text.trim() !== '') yield parseLine(line.number, line.text)
  }
}

function parseLine(number: number, text: string): Line | Refusal {
  const json = parseJson(text)
  if (json === undefined) return { line: number, field: '', reason: 'is no JSON' }
  // Of the values and not of the line: what is no text in them may stand escaped.
  const broken = brokenText(json)
  if (broken) return { line: number, ...broken }

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

/** What the wire refuses in a request is refused in a file, too. */
function brokenText(json: unknown): { field: string; reason: string } | undefined {
  try {
    refuseBrokenText(json, '')
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const [field] = error.details.errors ?? []
    return { field: field?.path.slice(1) ?? '', reason: field?.message ?? 'is not valid' }
  }
}
