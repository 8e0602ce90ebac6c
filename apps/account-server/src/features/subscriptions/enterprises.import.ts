import { excluded } from '@atrium/server-kit/database.ts'
import { importer } from '../../db/importer.ts'
import { enterprises } from './enterprises.tables.ts'

export const enterpriseImporter = importer('enterprise', async (tx, lines) => {
  const rows = lines.map(({ record: { orgCode, name, consoleUrl } }) => ({ orgCode, name, consoleUrl }))
  const set = excluded(enterprises, ['name', 'consoleUrl'])
  await tx.insert(enterprises).values(rows).onConflictDoUpdate({ target: enterprises.orgCode, set })
})
