import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newDatabaseBefore } from '../../test/migrations.ts'
import { hashOf } from '../session/session.rules.ts'

test('existing tokens are hashed by the migration and still work', async () => {
  await using database = await newDatabaseBefore('0009_device_tokens_and_profile_edits')
  const token = '22bab285-0e45-4fdc-b392-2a9134a085ba'
  await database.db.execute(sql`
    set session_replication_role = replica;
    insert into account.email_devices (id, seat_id, subscription_id, host_name, mac, app_name, app_version, updated_at)
      values (${sql.raw(`'${token}'`)}, gen_random_uuid(), 's', 'h', 'm', 'a', '1', now());
    insert into account.key_devices (id, key_id, mac_address, pc_name, app_version, requested_at)
      values (${sql.raw(`'${token}'`)}, gen_random_uuid(), 'm', 'p', '1', now());
    insert into account.activity (at, actor, actor_kind, action, target, details)
      values (now(), 'activation', 'system', 'device.activated', ${sql.raw(`'${token}'`)}, '{}');
    insert into account.events (type, data, created_at)
      values ('device.activated', '{"activationId":"${sql.raw(token)}","method":"email"}', now())`)

  await database.migrate()

  const { rows } = await database.db.execute(sql`
    select id::text, token_hash from account.email_devices
    union all select id::text, token_hash from account.key_devices
    union all select target, null from account.activity
    union all select data->>'deviceId', data->>'activationId' from account.events`)
  // The id that the page showed for a device earlier.
  const id = 'df86e03d-6f4f-8721-8de7-627180cf1892'
  expect(rows).toEqual([
    { id, token_hash: hashOf(token) },
    { id, token_hash: hashOf(token) },
    { id, token_hash: null },
    { id, token_hash: null },
  ])
})
