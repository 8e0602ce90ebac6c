import { parse } from 'lossless-json'
import type { z } from 'zod'
import { linesOf } from './lines.ts'
import { Problem } from './problem.ts'
import { reasonFor, suggestion } from './record-reasons.ts'
import { refuseBrokenText } from './text.ts'

/** A line of an import file (`docs/imports.md`): its number (from 1), and its record. */
interface RecordLine<Record> {
  number: number
  record: Record
}

/** What is said of a line: its number (from 1), the field where it is about one, and the reason. */
export interface Remark {
  line: number
  field: string
  reason: string
}

export function remarkSentence({ line, field, reason }: Remark): string {
  return `line ${line}${field && `, ${field}`}: ${reason}`
}

/** Bytes. Longer than any record; a file without line ends must not fill the memory. */
const longestLine = 1_000_000

/** The types of records that a file may have, as a union by `type`. */
interface RecordTypes<Record> extends z.ZodType<Record> {
  options: readonly { shape: { type: z.ZodLiteral<string> } }[]
}

/** Reads NDJSON in constant memory: good lines and why others are refused, in order. Empty lines are passed over. */
export async function* recordLines<Record>(
  input: AsyncIterable<Uint8Array | string>,
  records: RecordTypes<Record>,
): AsyncGenerator<RecordLine<Record> | Remark> {
  for await (const line of linesOf(input, longestLine)) {
    if ('fault' in line) yield { line: line.number, field: '', reason: line.fault }
    else if (line.text.trim() !== '') yield parseLine(line, records)
  }
}

type Fault = Omit<Remark, 'line'>

function parseLine<Record>(
  { number, text }: { number: number; text: string },
  records: RecordTypes<Record>,
): RecordLine<Record> | Remark {
  const parsed = parseJson(text)
  if ('reason' in parsed) return { line: number, ...parsed }
  // Of the values and not of the line: what is no text in them may stand escaped.
  const broken = brokenText(parsed.value)
  if (broken) return { line: number, ...broken }

  const record = records.safeParse(parsed.value, { error: reasonFor })
  if (record.success) return { number, record: record.data }
  const [issue] = record.error.issues
  return {
    line: number,
    ...(issue ? faultOf(issue, { value: parsed.value, records }) : { field: '', reason: 'is not valid' }),
  }
}

/** Thrown out of the parser. */
class DuplicateKey extends Error {
  readonly key: string

  constructor(key: string) {
    super(`the key ${key} stands twice`)
    this.key = key
  }
}

const parseOptions = {
  parseNumber: Number,
  onDuplicateKey({ key }: { key: string }): never {
    throw new DuplicateKey(key)
  },
}

/** `JSON.parse` keeps the last of two equal keys, and nobody hears of the first. */
function parseJson(text: string): { value: unknown } | Fault {
  try {
    return { value: parse(text, null, parseOptions) }
  } catch (error) {
    if (error instanceof DuplicateKey) return { field: error.key, reason: 'stands twice, with different values' }
    return { field: '', reason: 'is not JSON' }
  }
}

interface Refused {
  value: unknown
  records: Pick<RecordTypes<unknown>, 'options'>
}

function faultOf(issue: z.core.$ZodIssue, refused: Refused): Fault {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const field = [...issue.path, ...unknown].join('.')
  const isType = issue.code === 'invalid_union' && 'discriminator' in issue
  return { field, reason: isType ? unknownType(refused) : issue.message }
}

function unknownType({ value, records }: Refused): string {
  const types = records.options.map(({ shape }) => shape.type.value)
  const written: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'type') : undefined
  if (written === undefined) return 'is missing'
  return `${shortened(written)} is not a type of record${suggestion(written, types)}`
}

/** As it stands in the file: escaped, so that it changes nothing of the terminal. */
function shortened(value: unknown): string {
  const isLong = typeof value === 'string' && value.length > 64
  if (typeof value === 'object') return 'this'
  return JSON.stringify(isLong ? `${value.slice(0, 64)}…` : value)
}

/** What the wire refuses in a request is refused in a file, too. */
function brokenText(json: unknown): Fault | undefined {
  try {
    refuseBrokenText(json, '')
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const [field] = error.details.errors ?? []
    return { field: field?.path.slice(1) ?? '', reason: field?.message ?? 'is not valid' }
  }
}
