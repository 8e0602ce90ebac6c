import { dictionaryTypes } from '@atrium/contract/dictionaries.ts'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import { integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'

/** Names of codes, by language. */
export const dictionaryEntries = account.table(
  'dictionary_entries',
  {
    dictionary: text('dictionary', { enum: dictionaryTypes }).notNull(),
    code: text('code').notNull(),
    position: integer('position').notNull(),
    /** English is always present. */
    names: jsonb('names').$type<Partial<Record<LocaleCode, string>>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.dictionary, table.code] })],
)
