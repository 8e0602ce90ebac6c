import type { EndpointRequest } from '@atrium/contract/endpoint.ts'
import { listRoadmap } from '@atrium/contract/roadmap.ts'
import { beforeAll, expect, test } from 'vitest'
import { load } from '../../test/import.ts'
import { newWorld } from '../../test/world.ts'

type World = Awaited<ReturnType<typeof newWorld>>
type Query = EndpointRequest<typeof listRoadmap>['query']

const now = '2026-06-01T12:00:00Z'

const item = (key: string, values: object = {}) => ({
  ...{ type: 'roadmap-item', key, productType: 'Windows', summary: `Feature ${key}` },
  ...{ status: 'planned', planCycle: '2026-Q2' },
  ...values,
})

beforeAll(async () => {
  await using world = await newWorld()
  const { refusals } = await load(world, [
    item('R-1', { planCycle: '2025-Q4', status: 'released', productType: 'Mac' }),
    item('R-2', { planCycle: '2026-Q1', status: 'released', summary: 'Compare two PDFs' }),
    item('R-3', { position: 1, status: 'in_beta', summary: '100 % zoom, and dark_mode' }),
    item('R-4', { position: 0, status: 'in_progress' }),
    item('R-5', { position: 1, productType: 'Web' }),
    item('R-6', { planCycle: '2026-Q3', productType: 'Web', summary: 'COMPARE on the web' }),
    item('R-7', { planCycle: '2027-Q1' }),
  ])
  expect(refusals).toEqual([])
})

async function read(world: World, query: Query = {}) {
  const { status, body } = await world.as(await world.member()).send(listRoadmap, { query })
  expect(status).toBe(200)
  return body
}

async function keys(world: World, query?: Query) {
  return (await read(world, query)).list.map(({ key }) => key)
}

test('the current quarter and the coming ones are first, then the past ones, the latest first', async () => {
  await using world = await newWorld({ now })
  expect(await keys(world)).toEqual(['R-4', 'R-3', 'R-5', 'R-6', 'R-7', 'R-2', 'R-1'])
})

test('an item has its fields; the reply has the choices of the filters and the current quarter', async () => {
  await using world = await newWorld({ now })
  expect(await read(world, { pageSize: 1 })).toEqual({
    list: [{ key: 'R-4', productType: 'Windows', summary: 'Feature R-4', status: 'in_progress', planCycle: '2026-Q2' }],
    total: 7,
    planCycle: ['2025-Q4', '2026-Q1', '2026-Q2', '2026-Q3', '2027-Q1'],
    productType: ['Mac', 'Web', 'Windows'],
    currentQuarter: '2026-Q2',
  })
})

test.each([
  [{ status: 'released' }, ['R-2', 'R-1']],
  [{ planCycle: '2026-Q3' }, ['R-6']],
  [{ productType: 'Web' }, ['R-5', 'R-6']],
  [{ keyword: 'compare' }, ['R-6', 'R-2']],
  [{ keyword: 'r-7' }, ['R-7']],
  [{ keyword: ' 100 % ' }, ['R-3']],
  [{ keyword: 'dark_mode' }, ['R-3']],
  [{ keyword: 'dark.mode' }, []],
  [{ currentQuarter: '1' }, ['R-4', 'R-3', 'R-5']],
  [{ currentQuarter: '0', planCycle: '2026-Q1' }, ['R-2']],
  [{ currentQuarter: '1', status: 'planned', productType: 'Web', keyword: 'feature' }, ['R-5']],
  [{ currentQuarter: '1', planCycle: '2026-Q3' }, []],
] satisfies [Query, string[]][])('filter %o finds %j, and the choices stay', async (query, expected) => {
  await using world = await newWorld({ now })
  const { list, total, planCycle, productType } = await read(world, query)
  expect(list.map(({ key }) => key)).toEqual(expected)
  expect([total, planCycle.length, productType.length]).toEqual([expected.length, 5, 3])
})

test('ten are on a page, and the total is that of all pages', async () => {
  await using world = await newWorld({ now })
  expect(await keys(world, { page: 2, pageSize: 3 })).toEqual(['R-6', 'R-7', 'R-2'])
  const beyond = await read(world, { page: 9, pageSize: 3 })
  expect([beyond.list, beyond.total]).toEqual([[], 7])
})

test.each([
  [{ status: 'shipped' }, 'query.status'],
  [{ status: '' }, 'query.status'],
  [{ planCycle: '2026-Q5' }, 'query.planCycle'],
  [{ planCycle: '2031-Q1' }, 'query.planCycle'],
  [{ productType: 'Amiga' }, 'query.productType'],
  [{ currentQuarter: 'yes' }, 'query.currentQuarter'],
  [{ keyword: 'x'.repeat(201) }, 'query.keyword'],
  [{ page: '0' }, 'query.page'],
])('a filter with an unknown value is refused: %o', async (query, path) => {
  await using world = await newWorld({ now })
  const { cookie } = await world.member()
  const url = `/account/roadmap/?${new URLSearchParams(query)}`
  const reply = await world.request({ method: 'GET', url, headers: { cookie } })
  expect(reply.statusCode).toBe(422)
  expect(reply.json()).toMatchObject({ code: 'invalid', errors: [{ path }] })
})

test.each([
  ['2026-12-31T23:59:59.999Z', '2026-Q4'],
  ['2027-01-01T00:00:00Z', '2027-Q1'],
  ['2027-06-30T23:59:59Z', '2027-Q2'],
  ['2027-07-01T00:00:00Z', '2027-Q3'],
])('at %s the current quarter is %s, also where it has no items', async (moment, quarter) => {
  await using world = await newWorld({ now: moment })
  expect((await read(world)).currentQuarter).toBe(quarter)
  expect((await read(world, { planCycle: quarter })).total).toBe(quarter === '2027-Q1' ? 1 : 0)
})

test('every customer sees the same roadmap, and nobody who is signed out', async () => {
  await using world = await newWorld({ now })
  expect(await read(world)).toEqual(await read(world))
  expect((await world.visitor.send(listRoadmap, { query: {} })).status).toBe(401)
})
