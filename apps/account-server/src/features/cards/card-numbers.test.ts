import { Writable } from 'node:stream'
import * as contract from '@atrium/contract/cards.ts'
import { ImportRecord } from '@atrium/contract/imports.ts'
import { logSerializers } from '@atrium/server-kit/logging.ts'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'

const number = '4242424242424242'

const edit = {
  firstname: 'Ada',
  lastname: 'Lindqvist',
  country: 'GB',
  address: '1 High St',
  city: 'York',
  zip: 'YO1 7HH',
}

/** A logger at trace level, and the lines it wrote. */
function recordingLogger() {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { lines, logger: pino({ level: 'trace', serializers: logSerializers }, stream) }
}

test('a card number instead of a provider’s id is refused, and is in no table and no log', async () => {
  const { lines, logger } = recordingLogger()
  await using world = await newWorld({ logger })
  const member = world.as(await world.member())
  const params = { paymentMethodId: number }

  const replies = await Promise.all([
    member.send(contract.createSetupIntent, { body: params }),
    member.send(contract.finishSetupIntent, { params: { id: number } }),
    member.send(contract.readCard, { params, query: {} }),
    member.send(contract.updateCard, { params, body: edit }),
    member.send(contract.setDefaultCard, { params }),
    member.send(contract.removeCard, { query: {}, params }),
  ])

  expect(replies.map(({ status, body }) => [status, body.code])).toEqual(replies.map(() => [422, 'invalid']))
  expect(JSON.stringify(replies.map(({ body }) => body))).not.toContain(number)
  expect(await tablesWith(world, number)).toEqual([])
  logger.info('the logger writes')
  expect(lines.join('')).toContain('the logger writes')
  expect(lines.join('')).not.toContain(number)
})

test.each([
  ['pm_1NfVbTL2eZvKYlo2', true],
  ['card_1NfVbTL2eZvKYlo2', true],
  ['src_1NfVbTL2eZvKYlo2', true],
  ['4242 4242 4242 4242', false],
  ['pm_', false],
  ['seti_1NfVbTL2eZvKYlo2', false],
  ['pm_1/../../customers', false],
])('%s is the id of a payment method: %s', (id, is) => {
  expect(contract.createSetupIntent.body.safeParse({ paymentMethodId: id }).success).toBe(is)
})

test('the customer id in an import is the provider’s id too', () => {
  const line = { type: 'provider-customer', email: 'ada@folio.test' }
  expect(ImportRecord.safeParse({ ...line, customerId: 'cus_NffrFeUfNV2Hib' }).success).toBe(true)
  expect(ImportRecord.safeParse({ ...line, customerId: number }).success).toBe(false)
})

async function tablesWith({ db }: Pick<Awaited<ReturnType<typeof newWorld>>, 'db'>, text: string): Promise<string[]> {
  const { rows } = await db.execute<{ table: string; found: boolean }>(sql`
    select format('%I.%I', table_schema, table_name) as "table",
      query_to_xml(format('select t::text from %I.%I t', table_schema, table_name), true, true, '')::text
        like ${`%${text}%`} as found
    from information_schema.tables where table_schema = 'account' and table_type = 'BASE TABLE'`)
  expect(rows.length).toBeGreaterThan(10)
  return rows.flatMap(({ table, found }) => (found ? [table] : []))
}
