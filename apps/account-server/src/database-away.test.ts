import { addAddress, listAddresses } from '@atrium/contract/addresses.ts'
import { readProfile, updateProfile } from '@atrium/contract/profile.ts'
import { requestQuote } from '@atrium/contract/quotes.ts'
import { expect, test } from 'vitest'
import { newProduct } from './test/factories.ts'
import { databaseForwarder, newWorld } from './test/world.ts'

const html = 'text/html,application/xhtml+xml,*/*;q=0.8'
const edit = { firstName: 'Grace', lastName: 'Hopper', company: '', phone: '' }
const address = { orderBillCountry: 'DE', orderBillState: 'BE', orderBillZip: '10117' }

test('while the database is unavailable, programs and people get 503 with Retry-After; then everything works again', async () => {
  await using forwarder = await databaseForwarder()
  await using world = await newWorld({ forwarder })
  const member = await world.member()
  const { cookie } = member

  for (const [away, back] of [
    [() => forwarder.moveTo(1), () => forwarder.moveTo(forwarder.target)],
    [() => forwarder.stall(), () => forwarder.resume()],
  ] as const) {
    away()
    const problem = await world.request({ method: 'GET', url: '/account/profile/', headers: { cookie } })
    expect([problem.statusCode, problem.json().code, problem.headers['retry-after']]).toEqual([503, 'overloaded', '2'])
    expect((await world.as(member).send(updateProfile, { body: edit })).status).toBe(503)

    const page = await world.request({ method: 'GET', url: '/de/account', headers: { cookie, accept: html } })
    expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '2'])
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.body).toContain('Wir sind gerade stark ausgelastet.')
    expect(page.body).toContain('href="/de/account"')

    back()
    expect((await world.as(member).send(readProfile, { query: {} })).status).toBe(200)
  }
})

test('a save with an unanswered commit is reported as unknown, and is stored', async () => {
  await using forwarder = await databaseForwarder()
  await using world = await newWorld({ forwarder })
  const member = await world.member()

  forwarder.loseAnswerTo('commit')
  const { status, body } = await world.as(member).send(updateProfile, { body: edit })
  expect([status, body.code]).toEqual([503, 'outcome_unknown'])
  expect((await world.as(member).send(readProfile, { query: {} })).body.member.memFirstName).toBe('Grace')
})

test('repeated with its key, it takes effect once', async () => {
  await using forwarder = await databaseForwarder()
  await using world = await newWorld({ forwarder })
  const member = await world.member()
  const product = await newProduct(world)
  const quote = {
    kind: 'new',
    productCode: product.code,
    seats: 5,
    term: 'yearly',
    company: 'Analytical',
    country: 'GB',
    message: '',
  } as const

  const twice = async (send: () => Promise<{ status: number }>) => {
    forwarder.loseAnswerTo('commit')
    return [(await send()).status, (await send()).status]
  }
  const as = world.as(member)
  expect(await twice(() => as.send(addAddress, { body: address }, 'an-address'))).toEqual([503, 200])
  expect((await as.send(listAddresses, {})).body.list).toHaveLength(1)

  expect(await twice(() => as.send(requestQuote, { body: quote }, 'a-quote'))).toEqual([503, 200])
  // One email to sales, one to the customer.
  expect(world.sent.filter(({ queue }) => queue === 'mail')).toHaveLength(2)
})
