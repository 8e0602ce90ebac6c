import { naturalKeyOf } from '@atrium/contract/imports.ts'
import type { Remark } from '@atrium/server-kit/record-lines.ts'
import type { Line } from '../../db/importer.ts'

interface Batch {
  /** Of one type, and each with a different natural key, so that a line sees what an earlier one with its key stored. */
  lines: readonly Line[]
  /** Refused while reading. */
  unreadable: readonly Remark[]
  /** Number of the last line. */
  last: number
}

/** Lines and refusals per batch. */
const batchSize = 500

/** Groups consecutive lines that can be applied together. */
export async function* batchesOf(read: AsyncIterable<Line | Remark>): AsyncGenerator<Batch> {
  let batch = new GrowingBatch()
  for await (const line of read) {
    if (!batch.takes(line)) {
      yield batch
      batch = new GrowingBatch()
    }
    batch.add(line)
  }
  if (batch.last > 0) yield batch
}

class GrowingBatch implements Batch {
  readonly lines: Line[] = []
  readonly unreadable: Remark[] = []
  readonly #keys = new Set<string>()
  last = 0

  takes(line: Line | Remark): boolean {
    if (this.lines.length + this.unreadable.length >= batchSize) return false
    if ('reason' in line) return true
    const [first] = this.lines
    return !first || (first.record.type === line.record.type && !this.#keys.has(naturalKeyOf(line.record)))
  }

  add(line: Line | Remark): void {
    if ('reason' in line) {
      this.unreadable.push(line)
      this.last = line.line
      return
    }
    this.lines.push(line)
    this.#keys.add(naturalKeyOf(line.record))
    this.last = line.number
  }
}
