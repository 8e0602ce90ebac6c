import type { ImportRecord } from '@atrium/contract/imports.ts'
import type { z } from 'zod'

/** A record as it stands in a file, before the importer fills in what may be left out. */
export type FolioRecord = z.input<typeof ImportRecord>
