import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newDatabaseBefore } from '../../../test/migrations.ts'

test('of links before there were proofs, those that Atrium made are ours; all others are known by an address alone', async () => {
  await using database = await newDatabaseBefore('0052_proven_links')
  await database.db.execute(sql`
    insert into account.members (email, email_verified, created_at)
      values ('made@old.test', true, now()), ('linked@old.test', true, now()), ('paypal@old.test', true, now());
    insert into account.provider_customers (member_id, customer_id, created_at)
      select id, 'cus_' || split_part(email, '@', 1), now() from account.members where email not like 'paypal%';
    insert into account.provider_operations
      (member_id, provider, kind, subject, object_id, input, status, request_id, created_at, next_check_at, resolved_at)
      select id, 'card', 'customer.create', id::text, 'cus_made', '{}', 'succeeded', 'r', now(), now(), now()
      from account.members where email like 'made%';
    insert into account.products (code, name, sku, position, prices, cap, flags, downloads, integrations)
      values ('OLD', 'Old', 'old', 1, '[]', '{}', '{}', '{}', '[]');
    insert into account.subscriptions
      (id, member_id, product_code, status, user_count, origin, channel, auto_renew, period_start, org_code, created_at, provider_id)
      select 'sub_' || split_part(email, '@', 1), id, 'OLD', 'active', 1, 'online',
        case when email like 'paypal%' then 'paypal' else 'card' end, true, now(), '', now(), 'sub_' || split_part(email, '@', 1)
      from account.members`)

  await database.migrate()

  const { rows: links } = await database.db.execute(
    sql`select customer_id, proof, is_main from account.provider_customers order by customer_id`,
  )
  expect(links).toEqual([
    { customer_id: 'cus_linked', proof: 'address', is_main: false },
    { customer_id: 'cus_made', proof: 'ours', is_main: true },
  ])
  const { rows: billed } = await database.db.execute(
    sql`select id, customer_id, proof from account.subscriptions order by id`,
  )
  expect(billed).toEqual([
    { id: 'sub_linked', customer_id: 'cus_linked', proof: 'address' },
    { id: 'sub_made', customer_id: 'cus_made', proof: null },
    { id: 'sub_paypal', customer_id: null, proof: 'address' },
  ])
})
