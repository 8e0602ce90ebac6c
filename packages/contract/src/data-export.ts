import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const DataExport = z.object({
  /** Of the archive, for `downloadArchive`. */
  id: z.uuid(),
  /** ISO 8601. */
  requestedAt: z.iso.datetime(),
  /** Null while it is being prepared. */
  file: z
    .object({
      /** Bytes. */
      size: z.int(),
      /** ISO 8601; it cannot be downloaded after that. */
      expiresAt: z.iso.datetime(),
    })
    .nullable(),
})
export type DataExport = z.infer<typeof DataExport>

export const DataExportReply = z.object({
  /** The latest one; null: none, or it has expired. */
  dataExport: DataExport.nullable(),
})
export type DataExportReply = z.infer<typeof DataExportReply>

export const readDataExport = endpoint({
  method: 'GET',
  path: '/account/data-export/',
  summary: 'The copy of the member’s own data, and whether it can be downloaded yet',
  isPolled: true,
  reply: DataExportReply,
})

/** Joins one that is being prepared; replaces one that is ready. */
export const requestDataExport = endpoint({
  method: 'POST',
  path: '/account/data-export/',
  summary: 'Prepare a copy of everything that is stored about the member',
  limit: 'document',
  reply: DataExportReply,
})
