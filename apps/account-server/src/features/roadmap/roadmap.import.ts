import { excluded } from '@atrium/server-kit/database.ts'
import { inArray } from 'drizzle-orm'
import { importer } from '../../db/importer.ts'
import { roadmapItems } from './roadmap.tables.ts'

export const roadmapItemImporter = importer('roadmap-item', async (tx, lines) => {
  const records = lines.map(({ record }) => record)
  const withdrawn = records.filter((record) => record.withdrawn).map(({ key }) => key)
  const rows = records.filter((record) => !record.withdrawn).map(({ type: _, withdrawn: __, ...row }) => row)

  if (withdrawn.length > 0) await tx.delete(roadmapItems).where(inArray(roadmapItems.key, withdrawn))
  if (rows.length === 0) return
  await tx
    .insert(roadmapItems)
    .values(rows)
    .onConflictDoUpdate({
      target: roadmapItems.key,
      set: excluded(roadmapItems, ['productType', 'summary', 'status', 'planCycle', 'position']),
    })
})
