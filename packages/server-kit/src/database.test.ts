import { sql } from 'drizzle-orm'
import { integer, pgTable, timestamp } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { purge } from './database.ts'
import { newEmptyDatabase } from './test-database.ts'

const notes = pgTable('notes', { id: integer('id'), endsAt: timestamp('ends_at') })
const ended = sql`${notes.endsAt} < now()`

test('old rows are deleted in batches, locked ones are skipped, and the rest stay', async () => {
  await using database = await newEmptyDatabase()
  const { db } = database
  await db.execute(sql`create table notes (id integer, ends_at timestamp)`)
  await db.execute(sql`insert into notes select n, now() - interval '1 day' from generate_series(1, 12000) n`)
  await db.execute(sql`insert into notes values (12001, now() + interval '1 day'), (12002, null)`)
  await db.execute(sql`create table pieces (rows integer)`)
  await db.execute(sql`create function count_piece() returns trigger language plpgsql as
    'begin insert into pieces select count(*) from gone; return null; end'`)
  await db.execute(sql`create trigger counted after delete on notes referencing old table as gone
    for each statement execute function count_piece()`)

  await db.transaction(async (busy) => {
    await busy.execute(sql`update notes set id = id where id = 7`)
    await purge(db, notes, ended)
  })
  expect(await db.select().from(notes).orderBy(notes.id)).toMatchObject([{ id: 7 }, { id: 12_001 }, { id: 12_002 }])
  expect((await db.execute(sql`select rows from pieces`)).rows).toEqual([5000, 5000, 1999, 0].map((rows) => ({ rows })))

  await purge(db, notes, ended)
  expect(await db.$count(notes)).toBe(2)
})
