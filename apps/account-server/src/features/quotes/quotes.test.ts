import { readQuoteForm, requestQuote } from '@atrium/contract/quotes.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { newWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { products } from '../catalog/catalog.tables.ts'
import { secondsToWait } from './quotes.rules.ts'
import { quotes } from './quotes.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

beforeAll(async () => {
  await using world = await newWorld()
  const common = { prices: [], flags: [], downloads: [], integrations: [], sku: 'editor' }
  const cap = { cap: 999, scope: 'subscription' as const }
  await world.db.insert(products).values([
    { ...common, cap, code: 'FPE', name: 'Folio PDF Editor', position: 2 },
    { ...common, cap, code: 'FCL', name: 'Folio Cloud', position: 1 },
  ])
})

const request = {
  kind: 'volume',
  productCode: 'FPE',
  seats: 1250,
  term: 'three-year',
  company: 'Lindqvist & Partner',
  country: 'SE',
  message: 'Please call before noon.\nThank you!',
} as const

function ask(world: World, member: TestMember, values: object = {}) {
  return world.as(member).send(requestQuote, { body: { ...request, ...values } })
}

/** The enqueued emails: to sales, and to the customer. */
function emailsOf(world: World): Email[] {
  return world.sent.filter(({ queue }) => queue === 'mail').map(({ data }) => data as Email)
}

test('the dialog gets the products, country names, and what is known of the member', async () => {
  await using world = await newWorld()
  const member = await world.member({ company: 'Acme', countryCode: 'JP' })

  const { status, body } = await world.as(member).send(readQuoteForm, { query: { lang: 'de-de' } })

  expect(status).toBe(200)
  expect(body.products).toEqual([
    { code: 'FCL', name: 'Folio Cloud' },
    { code: 'FPE', name: 'Folio PDF Editor' },
  ])
  expect(body.countryList).toContainEqual({ code: 'SE', name: 'Schweden' })
  expect([body.company, body.country]).toEqual(['Acme', 'JP'])
  expect((await world.visitor.send(readQuoteForm, { query: {} })).status).toBe(401)
})

test('a request creates a lead, an activity row, and two emails', async () => {
  await using world = await newWorld({ settings: { SALES_EMAIL: 'sales@vendor.test' } })
  const member = await world.member({ firstName: 'Åsa', lastName: 'Lindqvist', phone: '+46 8 123' })

  const { status, body } = await ask(world, member, { lang: 'de-de' })

  expect(status).toBe(200)
  const { lang: _, ...lead } = { ...request, lang: '' }
  expect(await world.db.select().from(quotes).where(eq(quotes.memberId, member.id))).toMatchObject([
    { ...lead, id: body.quoteId, createdAt: new Date('2026-06-01T09:30:00Z') },
  ])
  expect(await world.db.select().from(activity).where(eq(activity.memberId, member.id))).toMatchObject([
    {
      action: 'quote.requested',
      target: body.quoteId,
      details: { kind: 'volume', productCode: 'FPE', seats: 1250, term: 'three-year' },
    },
  ])

  const [toSales, toCustomer] = emailsOf(world)
  expect(toSales).toMatchObject({
    to: 'sales@vendor.test',
    replyTo: member.email,
    subject: 'Quote request: Folio PDF Editor',
  })
  for (const part of [
    body.quoteId,
    'Name: Åsa Lindqvist',
    `Email: ${member.email}`,
    'Phone: +46 8 123',
    'Request: Volume discount quote',
    'Product: Folio PDF Editor (FPE)',
    'Seats: 1,250',
    'Term: Three years',
    'Company: Lindqvist & Partner',
    'Country/region: Sweden',
    'Message: Please call before noon.\nThank you!',
  ]) {
    expect(toSales?.text).toContain(part)
  }

  expect(toCustomer).toMatchObject({ to: member.email, subject: 'Ihre Angebotsanfrage ist eingegangen' })
  expect(toCustomer).not.toHaveProperty('replyTo')
  for (const part of [
    'Guten Tag Åsa,',
    'Plätze: 1.250',
    'Laufzeit: Drei Jahre',
    'Land/Region: Schweden',
    'Ihr Folio-Team',
  ]) {
    expect(toCustomer?.text).toContain(part)
  }
  expect(toCustomer?.html).toContain('<html lang="de-de">')
  expect(toCustomer?.html).toContain('Lindqvist &#38; Partner')
  expect(toCustomer?.messageId).not.toBe(toSales?.messageId)
})

test('the customer’s text is escaped in headers and HTML', async () => {
  await using world = await newWorld()
  const member = await world.member({ firstName: '<img src=x>\r\nBcc: eve@evil.test' })

  const company = 'Acme\r\nBcc: eve@evil.test\r\n\r\n<script>alert(1)</script>'
  const message = '<a href="https://evil.test">{{brand}} $t(greeting)</a>'
  expect((await ask(world, member, { company, message })).status).toBe(200)

  for (const message of emailsOf(world)) {
    expect(message.subject).not.toMatch(/[\r\n]/)
    expect(message.html).not.toMatch(/<(script|img|a) /)
    expect(message.html).not.toContain('<script>')
    expect(message.text).toContain('{{brand}} $t(greeting)')
    expect(message.text).not.toMatch(/^Bcc: eve@evil.test\r?\n\r?\n<script>/m)
  }
})

test('the sixth request of a rolling day is refused with Retry-After', async () => {
  await using world = await newWorld({ settings: { SESSION_IDLE_MINUTES: '6000', SESSION_ABSOLUTE_HOURS: '100' } })
  const [member, other] = [await world.member(), await world.member()]
  for (const hour of ['00', '02', '04', '06', '08']) {
    world.at(`2026-06-02T${hour}:00:00Z`)
    expect((await ask(world, member)).status).toBe(200)
  }

  world.at('2026-06-02T23:59:30.500Z')
  const sixth = await ask(world, member)
  expect([sixth.status, sixth.body.code, sixth.headers['retry-after']]).toEqual([429, 'too_often', '30'])
  expect((await ask(world, other)).status).toBe(200)

  world.at('2026-06-03T00:00:00Z')
  expect((await ask(world, member)).status).toBe(200)
  expect((await ask(world, member)).headers['retry-after']).toBe('7200')
  expect(await world.db.$count(quotes, eq(quotes.memberId, member.id))).toBe(6)
  expect(emailsOf(world)).toHaveLength(2 * 7)
})

test('a request that is repeated is answered with its own lead, whatever others asked for since', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  const send = () => world.as(member).send(requestQuote, { body: request }, 'the-key-of-one-open-dialog')
  const first = await send()
  world.at('2026-06-01T09:31:00Z')
  await ask(world, other)

  expect((await send()).body).toEqual(first.body)
  expect(await world.db.$count(quotes, eq(quotes.memberId, member.id))).toBe(1)
})

test('of many concurrent requests after four, exactly one succeeds', async () => {
  await using world = await newWorld()
  const member = await world.member()
  for (let index = 0; index < 4; index += 1) await ask(world, member)

  const replies = await Promise.all(Array.from({ length: 6 }, () => ask(world, member)))

  expect(replies.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429, 429])
  expect(await world.db.$count(quotes, eq(quotes.memberId, member.id))).toBe(5)
  expect(await world.db.$count(activity, eq(activity.memberId, member.id))).toBe(5)
})

test.each([
  ['an unknown product', { productCode: 'GONE' }, 409, 'unknown_product'],
  ['no product', { productCode: '' }, 422, 'product_required'],
  ['no seats', { seats: 0 }, 422, 'seats_required'],
  ['half a seat', { seats: 1.5 }, 422, 'seats_required'],
  ['too many seats', { seats: 100_001 }, 422, 'too_many_seats'],
  ['no company', { company: '  ' }, 422, 'company_required'],
  ['an unknown country', { country: 'ZZ' }, 422, 'country_required'],
  ['a country by name', { country: 'Sweden' }, 422, 'country_required'],
  ['too long a message', { message: 'x'.repeat(2001) }, 422, 'too_long'],
  ['a lone surrogate', { message: '\ud83d' }, 422, 'broken_text'],
  ['an unknown term', { term: 'weekly' }, 422, 'invalid_value'],
])('%s is refused, and nothing is stored', async (_name, values, status, code) => {
  await using world = await newWorld()
  const member = await world.member()
  const reply = await ask(world, member, values)

  expect(reply.status).toBe(status)
  expect(reply.body.errors?.[0]?.code ?? reply.body.code).toBe(code)
  expect(await world.db.$count(quotes, eq(quotes.memberId, member.id))).toBe(0)
  expect(world.sent).toEqual([])
})

test('the wait ends when the fifth newest request is a day old', () => {
  const now = new Date('2026-06-02T12:00:00Z')
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  expect(secondsToWait([1, 2, 3, 4].map(hoursAgo), now)).toBe(0)
  expect(secondsToWait([5, 1, 3, 2, 4].map(hoursAgo), now)).toBe(19 * 3600)
  expect(secondsToWait([1, 2, 3, 4, 5, 23].map(hoursAgo), now)).toBe(19 * 3600)
})
