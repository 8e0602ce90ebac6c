import { bigint, integer, jsonb, primaryKey, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { bytes } from '../../db/bytes.ts'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'

/** A ZIP that a job makes for a member; the latest one of its kind. */
export const archives = account.table(
  'archives',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    kind: text('kind', { enum: ['personal_data', 'orders'] }).notNull(),
    /** Stands in the file's name instead of the day; empty: none. */
    label: text('label').notNull().default(''),
    /** What the member asked for, in the words of the noun that makes it. */
    request: jsonb('request').$type<Readonly<Record<string, unknown>>>().notNull().default({}),
    /** How many documents it is to have, and how many of them the job has been through; 0: it is not counted. */
    total: integer('total').notNull().default(0),
    done: integer('done').notNull().default(0),
    /** What could not be put in, by its number. */
    missing: text('missing').array().notNull().default([]),
    requestedAt: timestamp('requested_at', { withTimezone: true }).notNull(),
    /** The run of the job whose parts are the file; null until it is whole. */
    runId: uuid('run_id'),
    /** Bytes. */
    size: bigint('size', { mode: 'number' }),
    /** `ARCHIVE_HOURS` after it was whole. */
    expiresAt: timestamp('expires_at', { withTimezone: true }),
  },
  (table) => [unique('archives_member_kind').on(table.memberId, table.kind)],
)

/** The file in pieces, so that neither making nor downloading it needs memory for all of it. */
export const archiveParts = account.table(
  'archive_parts',
  {
    archiveId: uuid('archive_id')
      .notNull()
      .references(() => archives.id, { onDelete: 'cascade' }),
    runId: uuid('run_id').notNull(),
    /** From 0. */
    number: integer('number').notNull(),
    content: bytes('content').notNull(),
  },
  (table) => [primaryKey({ columns: [table.archiveId, table.runId, table.number] })],
)
