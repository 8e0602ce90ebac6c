import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '@atrium/server-kit/database.ts'
import { newEmptyDatabase } from '@atrium/server-kit/test-database.ts'
import { expect, test } from 'vitest'
import { projectFolder } from './start/data-directory.ts'

const member = '00000000-0000-4000-8000-000000000001'
const personal = ['ada@operations.test', 'Lovelace', 'Kantstra', '0301234567', 'Analytical', '192.0.2.77']

const rows = `
insert into account.members (id, email, email_verified, first_name, last_name, phone, company, created_at)
  values ('${member}', 'ada@operations.test', true, 'Ada', 'Lovelace', '0301234567', 'Analytical', now());
insert into account.identities (provider, subject, member_id, created_at) values ('cas', 'ada@operations.test', '${member}', now());
insert into account.sessions (token_hash, member_id, subject, ticket_hash, created_at, seen_at)
  values ('t', '${member}', 'ada@operations.test', 't', now(), now());
insert into account.addresses
  (member_id, country, state, city, zip, street, first_name, last_name, contact_email, is_default, created_at)
  values ('${member}', 'DE', 'BE', 'Berlin', '10623', 'Kantstraße 24', 'Ada', 'Lovelace', 'ada@operations.test', true, now());
insert into account.quotes (member_id, kind, product_code, seats, term, company, country, message, created_at)
  values ('${member}', 'new', 'EDITOR', 5, 'yearly', 'Analytical', 'DE', 'Lovelace asks', now());
insert into account.activity (at, member_id, actor, actor_kind, action, target, details, address)
  values (now(), '${member}', '${member}', 'member', 'profile.updated', '${member}', '{"after": "Lovelace"}', '192.0.2.77');
insert into account.activity (at, member_id, actor, actor_kind, action, target, details, address)
  values (now(), '${member}', '${member}', 'member', 'identity.joined', 'ada@operations.test', '{}', null),
    (now(), '${member}', 'operator', 'vendor', 'identity.linked', 'before-ada@operations.test', '{}', null),
    (now(), null, 'operator', 'vendor', 'identity.linked', 'ada@operations.test', '{}', null);
insert into account.provider_operations (member_id, provider, kind, subject, input, status, request_id, created_at, next_check_at, resolved_at)
  values ('${member}', 'card', 'customer.create', 's', '{"memberId": "${member}", "email": "ada@operations.test"}', 'succeeded', 'r', now(), now(), now()),
    ('${member}', 'card', 'card.update', 's', '{"before": {"lastName": "Lovelace"}, "after": {"street": "Kantstraße 24"}}', 'succeeded', 'r', now(), now(), now());
set session_replication_role = replica;
insert into account.subscriptions
  (id, member_id, product_code, status, origin, channel, auto_renew, user_count, period_start, created_at, org_code)
  values ('S', '${member}', 'EDITOR', 'active', 'online', 'card', true, 2, now(), now(), '');
set session_replication_role = origin;
insert into account.seats (subscription_id, email, member_id, type, status, is_use, invited_at)
  values ('S', 'ada@operations.test', '${member}', 0, 'Accepted', true, now());
insert into sso.users (id, name, email, email_verified, first_name, last_name)
  values ('u', 'Ada Lovelace', 'ada@operations.test', true, 'Ada', 'Lovelace');
insert into sso.accounts (id, account_id, provider_id, user_id, created_at, updated_at)
  values ('a', 'ada@operations.test', 'credential', 'u', now(), now());
insert into sso.sessions (id, token, user_id, ip_address, created_at, updated_at, expires_at)
  values ('s', 't', 'u', '192.0.2.77', now(), now(), now());
insert into sso.activity (at, user_id, action, address, details)
  values (now(), 'u', 'session.started', '192.0.2.77', '{"email": "ada@operations.test"}');`

test('the manual’s statements for the deletion of a person’s data leave nothing behind', async () => {
  await using database = await newEmptyDatabase()
  for (const [app, schema] of [
    ['account-server', 'account'],
    ['sso', 'sso'],
  ] as const) {
    await migrate(database.url, join(projectFolder, 'apps', app, 'migrations'), schema)
  }
  const pool = database.db.$client
  await pool.query(rows)
  expect(await traces()).toEqual(personal)

  const manual = await readFile(join(projectFolder, 'docs/operations.md'), 'utf8')
  const [, statements = ''] = /```sql\n(begin;\ncreate temporary table address.*?)```/s.exec(manual) ?? []
  await pool.query(statements.replaceAll('EMAIL', 'Ada@Operations.test'))

  expect(await traces()).toEqual([])
  expect((await pool.query('select from account.members')).rowCount).toBe(1)

  /** Which of the personal data are left in any row of any table. */
  async function traces(): Promise<string[]> {
    const { rows: tables } = await pool.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('account', 'sso')",
    )
    const found = await Promise.all(
      tables.map(({ name }) => pool.query<{ line: string }>(`select t::text as line from ${name} t`)),
    )
    const text = found.flatMap(({ rows: lines }) => lines.map(({ line }) => line)).join('\n')
    return personal.filter((piece) => text.includes(piece))
  }
})
