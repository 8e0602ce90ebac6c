import { readDictionaries } from '@atrium/contract/dictionaries.ts'
import { beforeAll, expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'
import { dictionaryEntries } from './dictionaries.tables.ts'

beforeAll(async () => {
  await using world = await newWorld()
  await world.db.insert(dictionaryEntries).values([
    { dictionary: 'order-status', code: 'CO', position: 1, names: { 'en-us': 'Completed', 'de-de': 'Abgeschlossen' } },
    { dictionary: 'order-status', code: 'WT', position: 0, names: { 'en-us': 'In Progress' } },
    { dictionary: 'license-status', code: 'valid', position: 0, names: { 'en-us': 'Active' } },
  ])
})

test('several types are returned by type, in the vendor’s order, with English as the fallback', async () => {
  await using world = await newWorld()
  const { status, body, headers } = await world.visitor.send(readDictionaries, {
    query: { type: 'order-status,license-status,plan-cycle', lang: 'de-de' },
  })

  expect(status).toBe(200)
  expect(body).toEqual({
    'order-status': [
      { code: 'WT', name: 'In Progress' },
      { code: 'CO', name: 'Abgeschlossen' },
    ],
    'license-status': [{ code: 'valid', name: 'Active' }],
    'plan-cycle': [],
  })
  expect(headers['cache-control']).toBe('public, max-age=3600')
})

test.each(['', 'unknown', 'order-status,unknown', 'order-status,,', "order-status' or 1=1"])(
  'type %j is refused',
  async (type) => {
    await using world = await newWorld()
    const { status } = await world.visitor.send(readDictionaries, { query: { type } })
    expect(status).toBe(422)
  },
)
