import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newDatabaseBefore } from '../../test/migrations.ts'

test('what one costs is taken out of the words of stored lines, and is not found by searching', async () => {
  await using database = await newDatabaseBefore('0064_words_without_prices')
  const lines = (...texts: string[]) => JSON.stringify(texts.map((text) => ({ text, productCode: '', amount: 2000 })))
  const rows = [
    { number: 'A-1', origin: 'charged', lines: lines('2 × Folio (at $246.80 / month)', 'Other (at home)') },
    { number: 'B-1', origin: 'imported', lines: lines('2 × Folio (at $246.80 / month)') },
  ]
  for (const row of rows) {
    await database.db.execute(sql`
      set session_replication_role = replica;
      insert into account.orders (order_number, member_id, invoice_number, status, lines, amount, currency, date, origin, invoice_url)
        values (${sql.raw(`'${row.number}'`)}, gen_random_uuid(), '', 'CO', ${sql.raw(`'${row.lines}'`)}, 4000, 'USD', now(),
          ${sql.raw(`'${row.origin}'`)}, '')`)
  }

  await database.migrate()

  const stored = await database.db.execute(
    sql`select order_number, lines, searched like '%246%' as found from account.orders order by order_number`,
  )
  expect(stored.rows).toEqual([
    {
      order_number: 'A-1',
      lines: [
        { text: '2 × Folio', productCode: '', amount: 2000 },
        { text: 'Other (at home)', productCode: '', amount: 2000 },
      ],
      found: false,
    },
    // The vendor's own words.
    { order_number: 'B-1', lines: JSON.parse(rows[1]?.lines ?? ''), found: true },
  ])
})
