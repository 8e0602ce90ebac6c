import { newApp } from '@atrium/server-kit/app.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { expect, test, vi } from 'vitest'
import { businessClockRoutes, openBusinessClock } from './business-clock.ts'
import { newWorld } from './test/world.ts'

const hour = 3_600_000

async function clockServer(world: Awaited<ReturnType<typeof newWorld>>, unfinished: () => number = () => 0) {
  const clock = await openBusinessClock(world.db, { BUSINESS_CLOCK: 'movable' })
  const seen: Date[] = []
  const app = await newApp({
    logger: newLogger('test', 'silent'),
    publicUrl: 'http://localhost:3000',
    trustedProxies: [],
  })
  businessClockRoutes(app, {
    clock,
    jobs: { unfinished: async () => unfinished(), wake: () => undefined },
    passTime: async () => void seen.push(clock.now()),
    queues: [],
  })
  const move = async (now: Date) => {
    const reply = await app.inject({ method: 'PUT', url: '/business-clock/', payload: { now: now.toISOString() } })
    return { status: reply.statusCode, body: reply.json() }
  }
  return { clock, seen, move }
}

test('a moved clock goes on from there, also after a restart, and what is due happens at its moment', async () => {
  await using world = await newWorld()
  const { clock, seen, move } = await clockServer(world)
  const wanted = new Date(Date.now() + 400 * 24 * hour)

  expect((await move(wanted)).status).toBe(200)
  expect(Math.abs(clock.now().getTime() - wanted.getTime())).toBeLessThan(5000)
  expect(Math.abs((seen[0]?.getTime() ?? 0) - wanted.getTime())).toBeLessThan(5000)
  const restarted = await openBusinessClock(world.db, { BUSINESS_CLOCK: 'movable' })
  expect(Math.abs(restarted.now().getTime() - wanted.getTime())).toBeLessThan(5000)
  const real = await openBusinessClock(world.db, { BUSINESS_CLOCK: 'real' })
  expect(Math.abs(real.now().getTime() - Date.now())).toBeLessThan(5000)
  expect(await move(new Date())).toMatchObject({ status: 422, body: { code: 'clock_only_forward' } })
})

test('the same moment again, after a slow step, sets the clock back to it', async () => {
  await using world = await newWorld()
  const { clock, move } = await clockServer(world)
  const wanted = new Date(clock.now().getTime() + hour)
  await move(wanted)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_000 })
  try {
    expect((await move(wanted)).status).toBe(200)
    expect(clock.now().getTime() - wanted.getTime()).toBeLessThan(5000)
  } finally {
    vi.useRealTimers()
  }
})

test('a step waits for the jobs that the one before has left', async () => {
  await using world = await newWorld()
  const clock = await openBusinessClock(world.db, { BUSINESS_CLOCK: 'movable' })
  const left = [3, 2, 1]
  const { move, seen } = await clockServer(world, () => left.shift() ?? 0)

  expect((await move(new Date(clock.now().getTime() + hour))).status).toBe(200)
  expect([left, seen.length]).toEqual([[], 1])
})

test('without the setting the address does not exist', async () => {
  await using world = await newWorld()
  const reply = await world.request({
    method: 'PUT',
    url: '/business-clock/',
    payload: { now: '2030-01-01T00:00:00Z' },
  })
  expect(reply.statusCode).toBe(404)
})
