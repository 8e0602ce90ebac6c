import type pg from 'pg'

/** Other customers: hundreds of times the largest one's licenses, a hundred times its keys and orders. */
const others = { members: 200_000, licenses: 2_000_000, keys: 500_000, orders: 200_000 }

/** Tables that grow: a plan that reads one of them from end to end is wrong. */
export const grownTables: readonly string[] = [
  'members',
  'licenses',
  'license_contacts',
  'license_keys',
  'key_devices',
  'orders',
]

/** Makes two million licenses of other customers, each with a contact, and keys, devices and orders of theirs. */
export async function growOthers(pool: pg.Pool, say: (line: string) => void): Promise<void> {
  const steps: readonly (readonly [string, string])[] = [
    [
      'members',
      `insert into account.members (id, email, email_verified, created_at)
       select md5('grown' || i)::uuid, 'grown-' || i || '@grown.test', true, now() from generate_series(1, ${others.members}) i`,
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
      `insert into account.license_contacts (member_id, license_id, relationship, user_role)
       select md5('grown' || (1 + i % ${others.members}))::uuid, 'G-' || i, 'Holder', 'bill'
       from generate_series(1, ${others.licenses}) i`,
    ],
    [
      'keys',
      `insert into account.license_keys (id, license_id, key)
       select md5('key' || i)::uuid, 'G-' || i, '70000-' || md5('k' || i) from generate_series(1, ${others.keys}) i`,
    ],
    [
      'devices',
      `insert into account.key_devices (key_id, mac_address, pc_name, app_version, requested_at)
       select md5('key' || i)::uuid, '02:00:00:00:00:01', 'PC-' || i, '13.1.0', now() - make_interval(days => i % 900)
       from generate_series(1, ${others.keys}) i`,
    ],
    [
      'orders',
      `insert into account.orders
         (order_number, member_id, invoice_number, status, lines, amount, currency, date, origin, invoice_url)
       select 'G-' || i, md5('grown' || (1 + i % ${others.members}))::uuid, '', 'CO',
         '[{"text": "Folio PDF Editor+ Business", "productCode": "FPEPB", "amount": 15900}]', 15900, 'USD',
         now() - make_interval(days => i % 1500), 'imported', ''
       from generate_series(1, ${others.orders}) i`,
    ],
    ['statistics', 'vacuum analyze'],
  ]
  const client = await pool.connect()
  // The pool's limits are for requests.
  await client.query('set statement_timeout = 0')
  for (const [name, statement] of steps) {
    const startedAt = performance.now()
    await client.query(statement)
    say(`  grown: ${name.padEnd(12)} ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  }
  client.release(true)
}

/** Tables of a plan that were read from end to end. */
export async function scannedTables(pool: pg.Pool, text: string, values: readonly unknown[]) {
  const { rows } = await pool.query(`explain (format json, costs off) ${text}`, [...values])
  const plan: unknown = rows[0]?.['QUERY PLAN']
  const scans: string[] = []
  const lines: string[] = []
  visit(plan, 0)
  return { scans, lines }

  function visit(node: unknown, depth: number): void {
    if (Array.isArray(node)) {
      for (const child of node) visit(child, depth)
      return
    }
    if (typeof node !== 'object' || node === null) return
    const facts = new Map(Object.entries(node))
    const type = facts.get('Node Type')
    if (type !== undefined) {
      const on = facts.get('Index Name') ?? facts.get('Relation Name') ?? facts.get('CTE Name') ?? ''
      lines.push(`${'  '.repeat(depth)}${type} ${on}`.trimEnd())
      if (type === 'Seq Scan') scans.push(String(facts.get('Relation Name')))
    }
    for (const part of ['Plan', 'Plans']) visit(facts.get(part), depth + 1)
  }
}
