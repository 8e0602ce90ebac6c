import { spreadsheet } from '../../spreadsheet.ts'

interface Entry {
  id: string
  macAddress: string
  pcName: string
  requestedAt: Date
  deactivatedAt: Date | null
}

/** The devices of a key as CSV. */
export function activationRecord(sn: string, entries: readonly Entry[]): string {
  return spreadsheet(
    entries.map(({ id, macAddress, pcName, requestedAt, deactivatedAt }) => ({
      sn,
      pcName,
      macAddress,
      status: deactivatedAt === null ? 0 : 1,
      requestDate: requestedAt.toISOString(),
      itemId: id,
    })),
    ['sn', 'pcName', 'macAddress', 'status', 'requestDate', 'itemId'].map((key) => ({ key, header: key })),
  )
}
