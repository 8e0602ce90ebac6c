import { listRoadmap } from '@atrium/contract/roadmap.ts'
import { expect, test } from 'vitest'
import { load } from '../../test/import.ts'
import { newWorld } from '../../test/world.ts'

const item = {
  ...{ type: 'roadmap-item', key: 'R-1', productType: 'Windows', summary: 'Compare two PDFs' },
  ...{ status: 'planned', planCycle: '2026-Q3' },
}

async function shown(world: Awaited<ReturnType<typeof newWorld>>) {
  return (await world.as(await world.member()).send(listRoadmap, { query: {} })).body
}

test('a roadmap without items is empty, and has no choices', async () => {
  await using world = await newWorld()
  expect(await shown(world)).toEqual({
    ...{ list: [], total: 0, planCycle: [], productType: [] },
    currentQuarter: '2026-Q2',
  })
})

test('an item is stored once, changed by a later line, and withdrawn by one that says so', async () => {
  await using world = await newWorld()
  const { type: _, ...fields } = item
  expect((await load(world, [item, item])).refusals).toEqual([])
  expect((await shown(world)).list).toEqual([fields])

  const moved = { ...item, summary: 'Compare PDFs', status: 'in_beta', planCycle: '2026-Q4', productType: 'Mac' }
  await load(world, [moved])
  expect((await shown(world)).list).toEqual([{ ...fields, ...moved, type: undefined }])

  await load(world, [
    { ...moved, withdrawn: true },
    { ...item, key: 'R-2', withdrawn: true },
  ])
  expect((await shown(world)).total).toBe(0)
  await load(world, [{ ...moved, withdrawn: true }, item])
  expect((await shown(world)).list).toEqual([fields])
})

test.each([
  [{ planCycle: '2026-Q5' }, 'planCycle must be a quarter such as 2026-Q4'],
  [{ planCycle: 'Q4 2026' }, 'planCycle must be a quarter such as 2026-Q4'],
  [{ planCycle: '1970-Q1' }, 'planCycle must be a quarter such as 2026-Q4'],
  [{ status: 'shipped' }, 'status '],
  [{ summary: '' }, 'summary '],
  [{ productType: 'x'.repeat(61) }, 'productType '],
  [{ position: -1 }, 'position '],
  [{ team: 'Editor' }, 'team '],
])('a line with %o is refused, and the others are applied', async (wrong, reason) => {
  await using world = await newWorld()
  const { refusals } = await load(world, [
    { ...item, ...wrong },
    { ...item, key: 'R-9' },
  ])
  expect(refusals).toHaveLength(1)
  expect(refusals[0]).toContain(`1 ${reason}`)
  expect((await shown(world)).list.map(({ key }) => key)).toContain('R-9')
})
