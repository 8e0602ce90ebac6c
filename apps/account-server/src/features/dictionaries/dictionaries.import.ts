import { excluded } from '@atrium/server-kit/database.ts'
import { importer } from '../../db/importer.ts'
import { dictionaryEntries } from './dictionaries.tables.ts'

export const dictionaryImporter = importer('dictionary', async (tx, lines) => {
  const rows = lines.map(({ record }) => record)
  await tx
    .insert(dictionaryEntries)
    .values(rows)
    .onConflictDoUpdate({
      target: [dictionaryEntries.dictionary, dictionaryEntries.code],
      set: excluded(dictionaryEntries, ['position', 'names']),
    })
})
