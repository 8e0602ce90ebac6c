import { Readable } from 'node:stream'
import { ImportRecord } from '@atrium/contract/imports.ts'
import { expect, test } from 'vitest'
import { recordLines } from './record-lines.ts'

function read(...lines: string[]): Promise<unknown[]> {
  return Readable.from(recordLines(Readable.from([Buffer.from(lines.join('\n'))]), ImportRecord)).toArray()
}

const member = (fields: object) => JSON.stringify({ type: 'member', email: 'a@import.test', ...fields })

test('a line separator inside a text does not end the line', async () => {
  expect(await read(member({ company: 'One\u2028Two' }), '', 'no json')).toMatchObject([
    { number: 1, record: { company: 'One Two' } },
    { line: 3, field: '', reason: 'is not JSON' },
  ])
})

test('broken text is refused in every notation, in values and in keys', async () => {
  const lines = await read(
    String.raw`{"type":"member","email":"a@import.test","company":"half \ud800"}`,
    String.raw`{"type":"member","email":"a@import.test","half \ud800":1}`,
    String.raw`{"type":"member","email":"a@import.test","company":"nul \u0000"}`,
    // Two backslashes: six valid characters.
    String.raw`{"type":"member","email":"a@import.test","company":"\\u0000 \ud83d\ude00"}`,
  )

  const reason = 'has characters that are not text'
  expect(lines).toMatchObject([
    { line: 1, field: 'company', reason },
    { line: 2, field: '', reason },
    { line: 3, field: 'company', reason },
    { number: 4, record: { company: String.raw`\u0000 😀` } },
  ])
})

test('a line that is too long is refused once, and the next one is read', async () => {
  expect(await read(member({ company: 'x'.repeat(2_000_000) }), member({}))).toMatchObject([
    { line: 1, field: '', reason: 'is longer than 1000000 bytes' },
    { number: 2, record: { email: 'a@import.test' } },
  ])
})

test('a line that nests too deeply is refused', async () => {
  const deep = `{"type":"member","email":"a@import.test","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect(await read(deep, member({}))).toMatchObject([{ line: 1 }, { number: 2 }])
})

const someone = { type: 'member', email: 'a@import.test' }
const created = '2026-05-01T10:00:00Z'
const license = {
  ...{ type: 'license', licenseId: 'L-1', productCode: 'FPM', seats: 1, expirationDate: 0, created },
  activationMethod: 'keycode',
}
const address = { type: 'address', addressId: 'A', email: 'a@import.test', country: 'FR', zip: '75001', created }
const order = {
  ...{ type: 'order', orderNumber: 'O', email: 'a@import.test', status: 'CO', lines: [{ text: 'Editor' }], amount: 1 },
  ...{ currency: 'EUR', date: created },
}
const subscription = {
  ...{ type: 'subscription', subscriptionId: 'S', email: 'a@import.test', productCode: 'FPM', status: 'active' },
  ...{ userCount: 1, origin: 'online', channel: 'card', periodStart: created },
}
const product = { type: 'product', code: 'FPM', name: 'Editor', sku: 'editor' }
const dictionary = { type: 'dictionary', dictionary: 'order-status', code: 'CO', names: { 'en-us': 'Completed' } }
const device = {
  ...{ type: 'key-device', key: 'K', macAddress: '3C:06:30:12:9A:04', pcName: 'PC', appVersion: '12.1' },
  requestDate: created,
}

const epochSeconds = 'must be epoch seconds, such as 1767225600'
const time = 'must be a time with its zone, such as 2026-05-01T10:00:00Z'
const minorUnits = 'must be a whole number in minor units of the currency, such as 1999 for 19.99 USD'

test.each<[string, object, string, string]>([
  ['a misspelled field', { ...someone, frstName: 'Ada' }, 'frstName', 'is not a known field; did you mean firstName?'],
  ['other capitals', { ...someone, firstname: 'Ada' }, 'firstname', 'is not a known field; did you mean firstName?'],
  ['a field of something else', { ...someone, shoeSize: 41 }, 'shoeSize', 'is not a known field'],
  [
    'a field of an entry',
    { ...order, lines: [{ text: 'Editor', prodctCode: 'X' }] },
    'lines.0.prodctCode',
    'is not a known field; did you mean productCode?',
  ],
  ['a misspelled type', { type: 'licence' }, 'type', '"licence" is not a type of record; did you mean license?'],
  ['a type of something else', { type: 'warehouse' }, 'type', '"warehouse" is not a type of record'],
  ['a type that is a number', { type: 7 }, 'type', '7 is not a type of record'],
  ['a long type', { type: 'x'.repeat(1000) }, 'type', `"${'x'.repeat(64)}…" is not a type of record`],
  ['no type', { email: 'a@import.test' }, 'type', 'is missing'],
  ['a list', [1], '', 'must be an object'],
  ['no e-mail', { type: 'member' }, 'email', 'is missing'],
  ['a wrong e-mail', { type: 'member', email: 'ada' }, 'email', 'must be an e-mail address'],
  ['null', { ...someone, phone: null }, 'phone', 'must be a text'],
  ['a long name', { ...someone, firstName: 'x'.repeat(33) }, 'firstName', 'must have at most 32 characters'],
  ['an empty number', { ...order, orderNumber: ' ' }, 'orderNumber', 'must not be empty'],
  ['no lines', { ...order, lines: [] }, 'lines', 'must not be empty'],
  ['a broken amount', { ...order, amount: 1.5 }, 'amount', minorUnits],
  ['an amount in quotes', { ...order, amount: '15' }, 'amount', minorUnits],
  ['an amount of an entry', { ...order, lines: [{ text: 'Editor', amount: '15.00' }] }, 'lines.0.amount', minorUnits],
  ['no amount', { ...order, amount: undefined }, 'amount', 'is missing'],
  ['a tax in words', { ...order, tax: 'none' }, 'tax', minorUnits],
  ['seats in quotes', { ...license, seats: '5' }, 'seats', 'must be a whole number'],
  ['half a seat', { ...subscription, userCount: 1.5 }, 'userCount', 'must be a whole number'],
  ['a negative tax', { ...order, tax: -1 }, 'tax', 'must be at least 0'],
  [
    'a status in small letters',
    { ...order, status: 'co' },
    'status',
    'must be one of WT, PD, QT, OP, CO, CL; did you mean CO?',
  ],
  ['an unknown currency', { ...order, currency: 'EUX' }, 'currency', 'is not a currency code of ISO 4217'],
  ['a small currency', { ...order, currency: 'eur' }, 'currency', 'is not a currency code of ISO 4217'],
  ['a country in words', { ...someone, country: 'France' }, 'country', 'must be two capitals, such as US'],
  [
    'an unsupported language',
    { ...dictionary, names: { 'en-us': 'a', 'en-gb': 'b' } },
    'names.en-gb',
    expect.stringContaining('is not one of en-us, de-de'),
  ],
  [
    'a link without https',
    { ...product, downloads: [{ platform: 'mac', url: 'http://x.test' }] },
    'downloads.0.url',
    'must be an https address',
  ],
  [
    'a seat type of its own',
    {
      type: 'seat',
      subscriptionId: 'S',
      email: 'a@b.test',
      seatType: 7,
      status: 'Accepted',
      isUse: true,
      invited: created,
    },
    'seatType',
    'must be one of 0, 1, 2, 3',
  ],
  [
    'a number in quotes',
    {
      type: 'seat',
      subscriptionId: 'S',
      email: 'a@b.test',
      seatType: '2',
      status: 'Accepted',
      isUse: true,
      invited: created,
    },
    'seatType',
    'must be a number without quotes, one of 0, 1, 2, 3',
  ],
  ['yes', { ...subscription, autoRenewal: 'yes' }, 'autoRenewal', 'must be true or false'],
  ['yesterday', { ...order, date: 'yesterday' }, 'date', time],
  ['a time without a zone', { ...order, date: '2026-05-01T10:00:00' }, 'date', time],
  ['month 13', { ...order, date: '2026-13-01T00:00:00Z' }, 'date', 'is not a date that exists'],
  ['30 February', { ...order, date: '2026-02-30T00:00:00+02:00' }, 'date', 'is not a date that exists'],
  ['hour 25 on 30 February', { ...order, date: '2026-02-30T25:00:00Z' }, 'date', time],
  ['the year 1', { ...order, date: '0001-01-01T00:00:00Z' }, 'date', 'is not plausible: the year must be 1980 to 2199'],
  [
    'the year 9999',
    { ...license, created: '9999-12-31T00:00:00Z' },
    'created',
    'is not plausible: the year must be 1980 to 2199',
  ],
  ['a moment in words', { ...license, expirationDate: '2026-01-01T00:00:00Z' }, 'expirationDate', epochSeconds],
  ['half a second', { ...license, expirationDate: 1767225600.5 }, 'expirationDate', epochSeconds],
  ['a moment before 1970', { ...license, expirationDate: -1 }, 'expirationDate', epochSeconds],
  ['a moment in quotes', { ...someone, grantLoginExpireTime: '1767225600' }, 'grantLoginExpireTime', epochSeconds],
  ['epoch seconds where a time belongs', { ...order, date: 1767225600 }, 'date', time],
  ['no time', { ...order, date: undefined }, 'date', 'is missing'],
  [
    'the digits of a date',
    { ...license, expirationDate: 20_270_101 },
    'expirationDate',
    'is in the 1970s: seconds since 1970 are needed, and not the digits of a date (20270101 is 1798761600)',
  ],
  [
    'the digits of a moment',
    { ...license, expirationDate: 20_270_101_000_000 },
    'expirationDate',
    'is not plausible: the year must be 1980 to 2199',
  ],
  ['an end before its creation', { ...license, expirationDate: 1_600_000_000 }, 'expirationDate', 'is before created'],
  [
    'a period that ends before it starts',
    { ...subscription, periodEnd: '2026-04-30T10:00:00Z' },
    'periodEnd',
    'is before periodStart',
  ],
  [
    'a failed payment without its time',
    { ...subscription, status: 'past_due' },
    'pastDueSince',
    'is missing: access is counted from it while the status is past_due',
  ],
  [
    'an activation that ended before it began',
    { ...device, deactivated: '2026-04-30T10:00:00Z' },
    'deactivated',
    'is before requestDate',
  ],
  [
    'a street that is needed',
    { ...address, country: 'US', state: 'CA', city: 'LA' },
    'address',
    'is missing: it is needed in US',
  ],
])('%s is refused with a reason', async (_what, record, field, reason) => {
  expect(await read(JSON.stringify(record))).toEqual([{ line: 1, field, reason }])
})

test('every field of a record is read', async () => {
  const end = '2026-05-01T10:00:00Z'
  const pastDue = { ...subscription, status: 'past_due', pastDueSince: end }
  const records = [
    someone,
    license,
    address,
    order,
    { ...subscription, periodEnd: end },
    pastDue,
    product,
    dictionary,
    device,
  ]
  const expired = { ...license, expirationDate: 1_798_761_600_000 }
  for (const line of await read(...[...records, expired].map((record) => JSON.stringify(record)))) {
    expect(line).toHaveProperty('record')
  }
})

test.each([
  ['twice in a record', '{"type":"member","email":"a@import.test","phone":"1","phone":"2"}', 'phone'],
  ['spelled another way', String.raw`{"type":"member","email":"a@import.test","phone":"1","\u0070hone":"2"}`, 'phone'],
  ['in an entry', '{"type":"order","lines":[{"text":"a","text":"b"}]}', 'text'],
])('a key %s is refused', async (_where, text, field) => {
  expect(await read(text)).toEqual([{ line: 1, field, reason: 'stands twice, with different values' }])
})
