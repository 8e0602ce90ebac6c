import { listOfflineOrders } from '@atrium/contract/orders.ts'
import { expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'
import { offlineOrders } from './orders.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

async function orders(world: World, memberId: string, count: number) {
  await world.db.insert(offlineOrders).values(
    Array.from({ length: count }, (_, index) => ({
      orderNumber: `${memberId}-${String(index).padStart(3, '0')}`,
      memberId,
      lines: [`Folio PDF Editor · ${index + 1} seats`, 'Maintenance'],
      amount: 100_00 + index,
      currency: 'USD',
      date: new Date(Date.UTC(2026, 0, 1 + index)),
    })),
  )
}

test('offline orders are listed newest first, ten per page, with their total', async () => {
  await using world = await newWorld()
  const member = await world.member()
  await orders(world, member.id, 23)

  const first = await world.as(member).send(listOfflineOrders, { query: {} })
  const last = await world.as(member).send(listOfflineOrders, { query: { page: 3 } })
  const beyond = await world.as(member).send(listOfflineOrders, { query: { page: 1_000_000 } })

  expect(first.body.total).toBe(23)
  expect(first.body.list).toHaveLength(10)
  expect(first.body.list[0]).toEqual({
    nsOrderNumber: `${member.id}-022`,
    orderDescription: ['Folio PDF Editor · 23 seats', 'Maintenance'],
    orderAmount: 100_22,
    orderCurrency: 'USD',
    orderDate: '2026-01-23T00:00:00.000Z',
  })
  expect(last.body.list.map((order) => order.nsOrderNumber.slice(-3))).toEqual(['002', '001', '000'])
  expect(beyond.body).toEqual({ list: [], total: 23 })
})

test('offline orders are searched by number and product, `%` and `_` taken literally', async () => {
  await using world = await newWorld()
  const member = await world.member()
  await orders(world, member.id, 12)
  const total = async (keyWord: string) =>
    (await world.as(member).send(listOfflineOrders, { query: { keyWord } })).body.total

  expect([await total('-011'), await total('12 SEATS'), await total('maintenance')]).toEqual([1, 1, 12])
  expect([await total('%'), await total('1_ seats'), await total('missing')]).toEqual([0, 0, 0])
})

test('another customer’s orders look like none at all, and their owner still has them', async () => {
  await using world = await newWorld()
  const [owner, other] = [await world.member(), await world.member()]
  await orders(world, owner.id, 3)

  expect((await world.as(other).send(listOfflineOrders, { query: {} })).body).toEqual({ list: [], total: 0 })
  expect((await world.as(owner).send(listOfflineOrders, { query: {} })).body.total).toBe(3)
  expect((await world.visitor.send(listOfflineOrders, { query: {} })).status).toBe(401)
})

test.each([
  ['page', '0'],
  ['page', '-1'],
  ['page', '1.5'],
  ['page', '1000000000'],
  ['page', 'two'],
  ['page', ''],
  ['pageSize', '101'],
  ['pageSize', '0'],
  ['page', '1e3x'],
])('%s=%s is refused by name', async (field, value) => {
  await using world = await newWorld()
  const member = await world.member()
  const reply = await world.request({
    method: 'GET',
    url: `/account/offline-orders/?${field}=${encodeURIComponent(value)}`,
    headers: { cookie: member.cookie },
  })
  expect(reply.statusCode).toBe(422)
  expect(reply.json().errors[0].path).toBe(`query.${field}`)
})

test.each([
  ['page', '0'],
  ['page', '1000000000'],
  ['page', 'two'],
  ['pageSize', '101'],
  ['pageSize', '0'],
  ['status', 'XX'],
  ['status', ''],
  ['range', 'two-month'],
  ['keyWord', 'a\u0000b'],
  ['keyWord', 'x'.repeat(201)],
])('of online orders, %s=%j is refused by name', async (field, value) => {
  await using world = await newWorld()
  const member = await world.member()
  const url = `/account/online-orders/?${field}=${encodeURIComponent(value)}`
  const reply = await world.request({ method: 'GET', url, headers: { cookie: member.cookie } })
  expect(reply.statusCode).toBe(422)
  expect(reply.json().errors[0].path).toBe(`query.${field}`)
})

test('a lone surrogate and a megabyte in the query are answered without a failure', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const get = (keyWord: string) =>
    world.request({
      method: 'GET',
      url: `/account/online-orders/?keyWord=${keyWord}`,
      headers: { cookie: member.cookie },
    })

  // Invalid bytes are searched for as replacement characters.
  expect((await get('%ED%A0%80')).json()).toEqual({ list: [], total: 0, paid: [] })
  expect([414, 422, 431]).toContain((await get('x'.repeat(1_000_000))).statusCode)
  expect((await get('x')).statusCode).toBe(200)
})
