import { stringify } from 'csv-stringify/sync'

interface Entry {
  id: string
  macAddress: string
  pcName: string
  requestedAt: Date
  deactivatedAt: Date | null
}

/** The devices of a key as CSV: UTF-8 with BOM, with nothing that a spreadsheet would evaluate as a formula. */
export function activationRecord(sn: string, entries: readonly Entry[]): string {
  return stringify(
    entries.map(({ id, macAddress, pcName, requestedAt, deactivatedAt }) => ({
      sn,
      pcName,
      macAddress,
      status: deactivatedAt === null ? 0 : 1,
      requestDate: requestedAt.toISOString(),
      itemId: id,
    })),
    {
      bom: true,
      header: true,
      columns: ['sn', 'pcName', 'macAddress', 'status', 'requestDate', 'itemId'],
      escape_formulas: true,
      record_delimiter: 'windows',
    },
  )
}
