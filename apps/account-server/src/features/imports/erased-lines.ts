import type { Tx } from '@atrium/server-kit/database.ts'
import { holdErasures } from '@atrium/server-kit/erased-addresses.ts'
import type { Line } from '../../db/importer.ts'
import { erasedOf, keysOfErased, secretOfErasures } from '../personal-data/erased-addresses.queries.ts'

/** The numbers of the lines about erased people: by their address, and for devices by the holder of the key. @throws ConfigError */
export async function erasedLines(
  tx: Tx,
  batch: readonly Line[],
  erasureSecret: string | undefined,
): Promise<ReadonlySet<number>> {
  await holdErasures(tx)
  const secret = await secretOfErasures(tx, erasureSecret)
  if (secret === undefined) return new Set()
  const erased = await erasedOf(
    tx,
    batch.flatMap(({ record }) => emailOf(record) ?? []),
    secret,
  )
  const keys = await keysOfErased(
    tx,
    batch.flatMap(({ record }) => keyOf(record) ?? []),
  )
  const isErased = ({ record }: Line) => erased.has(emailOf(record) ?? '') || keys.has(keyOf(record) ?? '')
  return new Set(batch.filter(isErased).map(({ number }) => number))
}

function emailOf(record: Line['record']): string | undefined {
  return 'email' in record ? record.email : undefined
}

function keyOf(record: Line['record']): string | undefined {
  return record.type === 'key-device' ? record.key : undefined
}
