import type { DictionaryType } from '@atrium/contract/dictionaries.ts'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import { type Db, prepared } from '@atrium/server-kit/database.ts'
import { asc, sql } from 'drizzle-orm'
import { dictionaryEntries } from './dictionaries.tables.ts'

interface Wanted {
  types: readonly DictionaryType[]
  lang: LocaleCode
}

/** Entries by type, in the vendor's order; names fall back to English. */
export async function dictionaries(db: Db, { types, lang }: Wanted) {
  const rows = await entriesOfTypes(db).execute({ types: [...types], lang })
  return Object.fromEntries(
    types.map((type) => [
      type,
      rows.filter((row) => row.dictionary === type).map(({ code, name }) => ({ code, name })),
    ]),
  )
}

const entriesOfTypes = prepared('dictionaries_of_types', (db, name) =>
  db
    .select({
      dictionary: dictionaryEntries.dictionary,
      code: dictionaryEntries.code,
      name: sql<string>`coalesce(${dictionaryEntries.names} ->> ${sql.placeholder('lang')}::text, ${dictionaryEntries.names} ->> 'en-us')`,
    })
    .from(dictionaryEntries)
    .where(sql`${dictionaryEntries.dictionary} = any(${sql.placeholder('types')}::text[])`)
    .orderBy(asc(dictionaryEntries.dictionary), asc(dictionaryEntries.position), asc(dictionaryEntries.code))
    .prepare(name),
)
