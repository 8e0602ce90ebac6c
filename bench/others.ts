import pg from 'pg'

/** The other customers, with more than a hundred times the rows of the largest one. */
const others = {
  members: 200_000,
  licenses: 2_000_000,
  orders: 2_000_000,
  activity: 2_000_000,
  subscriptions: 200_000,
  seatsEach: 3,
}

/** Tables that grow. A plan must not scan any of them sequentially. */
export const grownTables: readonly string[] = [
  'members',
  'licenses',
  'license_contacts',
  'license_keys',
  'key_devices',
  'orders',
  'subscriptions',
  'seats',
  'email_devices',
  'activity',
]

/** SQL for the id of one of the other customers, by number. */
const memberId = (i: string) => `md5('grown' || (1 + ${i} % ${others.members}))::uuid`

const steps: readonly (readonly [string, string])[] = [
  [
    'members',
    `insert into account.members (id, email, email_verified, created_at)
     select ${memberId('i')}, 'grown-' || i || '@grown.test', true, now() from generate_series(1, ${others.members}) i`,
  ],
  [
    'subscriptions',
    `insert into account.subscriptions
       (id, member_id, product_code, status, user_count, origin, channel, auto_renew, period_start, period_end, created_at, org_code)
     select 'g-' || i, ${memberId('i')}, 'FPEPB', 'active', ${others.seatsEach}, 'online', 'card', true,
       now() - make_interval(days => i % 365), now() + make_interval(days => 365 - i % 365),
       now() - make_interval(days => i % 365), ''
     from generate_series(1, ${others.subscriptions}) i`,
  ],
  [
    'seats',
    `insert into account.seats (id, subscription_id, email, member_id, type, status, is_use, invited_at)
     select md5('seat' || i || ' ' || seat)::uuid, 'g-' || i, 'seat-' || seat || '@grown.test', ${memberId('i + seat')},
       case seat when 0 then 2 else 0 end, 'Accepted', true, now()
     from generate_series(1, ${others.subscriptions}) i, generate_series(0, ${others.seatsEach - 1}) seat`,
  ],
  [
    'e-mail devices',
    `insert into account.email_devices (seat_id, subscription_id, host_name, mac, app_name, app_version, updated_at)
     select id, subscription_id, 'HOST', '02:00:00:00:00:0' || device, 'Folio PDF Editor+', '14.0.1',
       now() - make_interval(days => 28)
     from account.seats, generate_series(1, 2) device where subscription_id like 'g-%'`,
  ],
  [
    'licenses',
    `insert into account.licenses
       (id, product_code, seats, version, edition, language, platform, created_at, activation_method, ac_lice_id)
     select 'G-' || i, (array['FPE', 'FPETW', 'FPM', 'FPETM'])[1 + i % 4], 3, '13.1', 'Team', 'English', 'Windows',
       now() - make_interval(days => i % 1500), 'keycode', ''
     from generate_series(1, ${others.licenses}) i`,
  ],
  [
    'contacts',
    `insert into account.license_contacts
       (member_id, license_id, relationship, user_role, product_code, created_at, activation_method)
     select ${memberId('substr(id, 3)::int')}, id, 'Holder', 'bill', product_code, created_at, activation_method
     from account.licenses where id like 'G-%'`,
  ],
  [
    'licenses of subscriptions',
    `insert into account.licenses
       (id, subscription_id, version, edition, language, platform, created_at, activation_method, ac_lice_id)
     select 'G-S-' || id, id, '14', 'Business', 'Multilingual', 'Windows, Mac', period_start, 'email', ''
     from account.subscriptions where id like 'g-%'`,
  ],
  [
    'keys',
    `insert into account.license_keys (id, license_id, key)
     select md5('key' || i)::uuid, 'G-' || i, '70000-' || lpad(i::text, 14, '0') from generate_series(1, ${others.licenses}) i`,
  ],
  [
    'devices',
    `insert into account.key_devices (key_id, mac_address, pc_name, app_version, requested_at)
     select md5('key' || i)::uuid, '02:00:00:00:00:01', 'PC-' || i, '13.1.0', now() - make_interval(days => i % 900)
     from generate_series(1, ${others.licenses}) i`,
  ],
  [
    'orders',
    `insert into account.orders
       (order_number, member_id, invoice_number, status, lines, amount, currency, date, origin, invoice_url)
     select 'G-' || i, ${memberId('i')}, '', 'CO',
       '[{"text": "Folio PDF Editor+ Business", "productCode": "FPEPB", "amount": 15900}]', 15900, 'USD',
       now() - make_interval(days => i % 1500), 'imported', ''
     from generate_series(1, ${others.orders}) i`,
  ],
  [
    'activity',
    `insert into account.activity (at, member_id, actor, actor_kind, action, target, details, address)
     select now() - make_interval(mins => i), ${memberId('i')}, 'S', 'provider', 'order.changed', 'A-' || i, '{}', null
     from generate_series(1, ${others.activity}) i`,
  ],
]

/** Inserts millions of rows of other customers. */
export async function growOthers(databaseUrl: string, say: (line: string) => void): Promise<void> {
  // Of its own: the pool's timeouts are for requests.
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  // These rows need no foreign key checks.
  await client.query('set session_replication_role = replica')
  const indexes = await indexesOf(client, grownTables)

  await timed('no indexes', indexes.map(({ drop }) => drop).join(';'))
  for (const [name, statement] of steps) await timed(name, statement)
  await timed('indexes', indexes.map(({ create }) => create).join(';'))
  await timed('statistics', 'vacuum analyze')
  // Otherwise the rest would be written while we measure.
  await timed('checkpoint', 'checkpoint')
  await client.end()

  async function timed(name: string, statement: string): Promise<void> {
    const startedAt = performance.now()
    await client.query(statement)
    say(`  grown: ${name.padEnd(26)} ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  }
}

/** Indexes that no constraint needs. Dropping them before the rows are inserted halves the time. */
async function indexesOf(client: pg.Client, tables: readonly string[]) {
  const { rows } = await client.query<{ drop: string; create: string }>(
    `select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as create
     from pg_index i
     where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [tables.map((table) => `account.${table}`)],
  )
  return rows
}
