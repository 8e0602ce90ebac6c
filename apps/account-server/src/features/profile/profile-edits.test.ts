import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newDatabaseBefore } from '../../test/migrations.ts'

test('edits before the column existed are recovered from the activity', async () => {
  await using database = await newDatabaseBefore('0009_device_tokens_and_profile_edits')
  await database.db.execute(sql`
    insert into account.members (email, email_verified, created_at)
      values ('edited@old.test', true, now()), ('untouched@old.test', true, now());
    insert into account.activity (at, member_id, actor, actor_kind, action, target, details)
      select now(), id, id::text, 'member', 'profile.updated', id::text,
        '{"before":{"firstName":"A","lastName":"B","phone":"","company":"C"},"after":{"firstName":"A","lastName":"B","phone":"1","company":"D"}}'
      from account.members where email = 'edited@old.test'`)

  await database.migrate()

  const { rows } = await database.db.execute(sql`select email, edited_fields from account.members order by email`)
  expect(rows).toEqual([
    { email: 'edited@old.test', edited_fields: ['company', 'phone'] },
    { email: 'untouched@old.test', edited_fields: [] },
  ])
})
