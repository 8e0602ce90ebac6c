import { dictionaryTypes } from '@atrium/contract/dictionaries.ts'
import { ImportRecord } from '@atrium/contract/imports.ts'
import { locales } from '@atrium/contract/locale.ts'
import { roadmapStatuses } from '@atrium/contract/roadmap.ts'
import { expect, test } from 'vitest'
import { purchases } from './folio/billing.ts'
import { folioRecords } from './folio.ts'

const today = new Date('2026-11-20T15:04:05Z')
const records = [...folioRecords(today)].map((entry) => ImportRecord.parse(entry))

const members = records.filter((entry) => entry.type === 'member')
const products = records.filter((entry) => entry.type === 'product')
const orders = records.filter((entry) => entry.type === 'offline-order')
const entries = records.filter((entry) => entry.type === 'dictionary')

function ordersOf(name: string) {
  return orders.filter((order) => order.email === `${name}@folio.test`)
}

test('the whole cast is there, each with one account under folio.test', () => {
  const cast = members.filter((member) => member.email.endsWith('@folio.test'))
  expect(cast.map((member) => member.email).sort()).toEqual(
    ['ada', 'bulk', 'grace', 'kai', 'linus', 'mina', 'noor', 'omar', 'pia', 'sofia', 'theo', 'uma', 'vera', 'yuki'].map(
      (name) => `${name}@folio.test`,
    ),
  )
})

test('everybody has a name and a country, and all but the new account a phone and a company', () => {
  for (const member of members) {
    expect(member.firstName && member.lastName && member.country, member.email).toBeTruthy()
    if (member.email.endsWith('@meridian.test')) continue
    expect(member.phone !== '' && member.company !== '', member.email).toBe(member.email !== 'noor@folio.test')
  }
})

/** By `docs/imports.md`. */
const naturalKeys = {
  member: ['email'],
  address: ['email', 'addressId'],
  'provider-customer': ['email'],
  dictionary: ['dictionary', 'code'],
  product: ['code'],
  coupon: ['code'],
  'roadmap-item': ['key'],
  'offline-order': ['orderNumber'],
  order: ['orderNumber'],
  enterprise: ['orgCode'],
  subscription: ['subscriptionId'],
  seat: ['subscriptionId', 'email'],
  license: ['licenseId'],
  'license-contact': ['licenseId', 'email'],
  'license-key': ['key'],
  'key-device': ['key', 'macAddress', 'requestDate'],
  'email-device': ['subscriptionId', 'email', 'mac', 'appName'],
} as const

test('what is bought at a provider costs what the catalog says', () => {
  const prices = new Map(
    products.flatMap(({ code, prices: sold }) =>
      sold.map(({ term, currency, amount }) => [`${code}-${term}-${currency}`.toLowerCase(), amount] as const),
    ),
  )
  const subscriptions = new Map(
    records.flatMap((entry) => (entry.type === 'subscription' ? [[entry.subscriptionId, entry]] : [])),
  )
  const bought = purchases(today)
  expect(bought.map(({ provider }) => provider).filter((provider) => provider === 'paypal')).toHaveLength(1)
  for (const { name, items, parent } of bought) {
    const sum = items.reduce((all, { price, quantity }) => all + (prices.get(price) ?? Number.NaN) * quantity, 0)
    expect(sum, name).toBe(subscriptions.get(name)?.price)
    if (parent)
      expect(bought.findIndex((one) => one.name === parent)).toBeLessThan(bought.findIndex((one) => one.name === name))
  }
})

test('ada has a prepaid term that she can renew: it ends within 90 days, and a year of it is sold', () => {
  const terms = records.flatMap((entry) =>
    entry.type === 'subscription' && entry.term === 'paid_yearly' && entry.status === 'active' ? [entry] : [],
  )
  expect(terms.map(({ email }) => email)).toEqual(['ada@folio.test'])
  for (const { productCode, currency, periodEnd, channel, autoRenewal } of terms) {
    expect([channel, autoRenewal]).toEqual(['card', false])
    const daysLeft = (Date.parse(periodEnd ?? '') - today.getTime()) / 86_400_000
    expect(daysLeft > 0 && daysLeft < 90).toBe(true)
    const sold = products.find(({ code }) => code === productCode)?.prices ?? []
    expect(sold.some((price) => price.term === 'paid_yearly' && price.currency === currency)).toBe(true)
  }
})

test('a key is used once', () => {
  const keys = records.map((entry) => {
    const natural = naturalKeys[entry.type].map((field) => Object.entries(entry).find(([name]) => name === field)?.[1])
    return [entry.type, ...natural].join(' ')
  })

  expect(new Set(keys).size).toBe(keys.length)
})

test('a record names nobody who was not loaded before', () => {
  const known = new Set<string>()
  for (const entry of records) {
    if (entry.type === 'member') known.add(entry.email)
    if (entry.type === 'address' || entry.type === 'offline-order') expect(known).toContain(entry.email)
  }
})

test('offline orders: three pages for ada, none for noor, half a thousand for bulk', () => {
  const counts = ['ada', 'grace', 'yuki', 'omar', 'noor', 'bulk'].map((name) => ordersOf(name).length)

  expect(counts).toEqual([23, 4, 3, 12, 0, 500])
  expect(Math.ceil(ordersOf('ada').length / 10)).toBe(3)
})

test('billing addresses: six of six countries for ada, none for noor, each with street, city and zip', () => {
  const booked = records.filter((entry) => entry.type === 'address')
  const countries = (name: string) =>
    booked.filter(({ email }) => email === `${name}@folio.test`).map(({ country }) => country)
  expect(countries('ada')).toEqual(['US', 'GB', 'MY', 'IN', 'JP', 'DE'])
  expect([countries('yuki'), countries('noor')]).toEqual([['JP', 'JP'], []])
  expect(booked.every(({ address, city, zip }) => address !== '' && city !== '' && zip !== '')).toBe(true)
})

test('the lists have something to show: ada has 122 online orders, bulk 2,000, 5,000 licenses and 20,000 devices', () => {
  const online = (name: string) =>
    records.filter((entry) => entry.type === 'order' && entry.email === `${name}@folio.test`)
  expect([online('ada').length, online('bulk').length, online('noor').length]).toEqual([122, 2000, 0])

  const held = records.filter((entry) => entry.type === 'license' && entry.licenseId.startsWith('M-'))
  const bulkKeys = new Set(
    records.flatMap((entry) => (entry.type === 'license-key' && entry.licenseId.startsWith('M-') ? [entry.key] : [])),
  )
  const devices = records.filter(
    (entry) =>
      (entry.type === 'key-device' && bulkKeys.has(entry.key)) ||
      (entry.type === 'email-device' && entry.subscriptionId.startsWith('meridian-')),
  )
  expect([held.length, devices.length]).toEqual([5000, 20_000])
})

test('a completed order has an invoice number, and each number is one order’s', () => {
  const numbers = records.flatMap((entry) =>
    entry.type === 'order' && entry.status === 'CO' ? [entry.invoiceNumber] : [],
  )
  expect(numbers.every((number) => number !== '')).toBe(true)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('each buyer pays in one currency, and never nothing', () => {
  for (const [name, currency] of [
    ['ada', 'USD'],
    ['grace', 'EUR'],
    ['yuki', 'JPY'],
    ['omar', 'GBP'],
  ] as const) {
    expect(new Set(ordersOf(name).map((order) => order.currency))).toEqual(new Set([currency]))
  }
  expect(orders.every((order) => order.amount > 0)).toBe(true)
})

test('orders lie in the past, in the order of their numbers', () => {
  for (const name of ['ada', 'omar', 'bulk']) {
    const own = ordersOf(name)
    expect(own.every((order) => new Date(order.date) < today)).toBe(true)
    expect(own.toSorted((a, b) => b.date.localeCompare(a.date))).toEqual(
      own.toSorted((a, b) => b.orderNumber.localeCompare(a.orderNumber)),
    )
  }
})

test('the codes and caps of the specifications are in the catalog', () => {
  const byCode = new Map(products.map((product) => [product.code, product]))

  for (const code of ['FPM', 'PMM', 'FPETW', 'FPETM']) expect(byCode.get(code)?.flags).toContain('additionalLicenses')
  const caps = ['FESE', 'FSRS', 'FSRP', 'FSRE', 'FAC', 'FESB', 'FPE', 'FPEPB', 'FCL', 'FSRSV', 'FCNSF', 'FAI']
  expect(caps.map((code) => byCode.get(code)?.cap.cap)).toEqual([1, 1, 1, 1, 1, 15, 30, 30, 30, 99, 40, 999])
})

test('every product is priced in dollars, euros and yen', () => {
  for (const { code, prices } of products) {
    expect(new Set(prices.map((price) => price.currency)), code).toEqual(new Set(['USD', 'EUR', 'JPY']))
  }
})

test('every dictionary is there, every code with a name in all ten languages', () => {
  expect(new Set(entries.map((entry) => entry.dictionary))).toEqual(new Set(dictionaryTypes))
  for (const { dictionary, code, names } of entries) {
    expect(Object.keys(names), `${dictionary} ${code}`).toEqual(locales.map((locale) => locale.code))
  }
})

test('the cancel reasons are the codes 1 to 10, in that order', () => {
  const reasons = entries.filter((entry) => entry.dictionary === 'cancel-reason')

  expect(reasons.toSorted((a, b) => a.position - b.position).map((entry) => entry.code)).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    '10',
  ])
})

test('the current quarter is the second of the plan cycles, also on the last day of a year', () => {
  for (const [day, quarter] of [
    ['2026-11-20', '2026-Q4'],
    ['2026-12-31', '2026-Q4'],
    ['2027-01-01', '2027-Q1'],
    ['2028-05-31', '2028-Q2'],
  ] as const) {
    const cycles = [...folioRecords(new Date(day))].filter(
      (entry) => entry.type === 'dictionary' && entry.dictionary === 'plan-cycle',
    )
    expect(cycles[1], day).toMatchObject({ code: quarter })
  }
})

test('the roadmap has thirty-one items of six quarters, in all states: what is past is released, what is far is planned', () => {
  const items = records.filter((entry) => entry.type === 'roadmap-item')
  const cycles = [...new Set(items.map(({ planCycle }) => planCycle))].sort()
  expect(items).toHaveLength(31)
  expect(cycles).toEqual(['2026-Q2', '2026-Q3', '2026-Q4', '2027-Q1', '2027-Q2', '2027-Q3'])
  expect(new Set(items.map(({ status }) => status))).toEqual(new Set(roadmapStatuses))
  expect(new Set(items.map(({ productType }) => productType)).size).toBe(6)
  for (const { planCycle, status } of items) {
    if (planCycle < '2026-Q4') expect(status).toBe('released')
    if (planCycle > '2026-Q4') expect(status).not.toBe('released')
    if (planCycle === '2027-Q3') expect(status).toBe('planned')
  }
})

test('the same day gives the same vendor; another day moves the dates', () => {
  const again = JSON.stringify([...folioRecords(new Date('2026-11-20T23:59:00Z'))])
  const later = JSON.stringify([...folioRecords(new Date('2026-11-21T00:00:00Z'))])

  expect(again).toBe(JSON.stringify([...folioRecords(today)]))
  expect(later).not.toBe(again)
})
