import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Problem } from '@atrium/server-kit/problem.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { newWorld, origin } from '../../test/world.ts'
import { setAccountClock } from './account-clock.ts'
import { advanceClock, catchUp, setClockBack } from './advance.ts'
import { businessNow, standingAt } from './clock.queries.ts'
import { momentAfter } from './clock.rules.ts'
import { holdClock } from './clock.writes.ts'
import type { Due, DueSource } from './due-source.ts'

const hour = 3600 * 1000
const world = await newWorld()
let start: Date

beforeEach(async () => {
  start = await businessNow(world.db, new Date())
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

/** A stand-in whose things are due so many hours from the start; it records when each happened. */
function newSource(name: string, hours: readonly number[]) {
  const open: Due[] = hours.map((after) => ({
    id: `${name}${after}`,
    at: new Date(start.getTime() + after * hour),
    title: `${name} ${after}`,
  }))
  const done: { id: string; now: Date; clock: Date }[] = []
  let broken: string | undefined
  const source: DueSource = {
    name,
    nextDue: async (_db, until) => open.toSorted(byTime).find(({ at }) => at <= until),
    upcoming: async (_db, most) => open.toSorted(byTime).slice(0, most),
    async perform(tx, { id }, now) {
      if (broken === id) throw new Error('killed')
      done.push({ id, now, clock: await businessNow(tx, new Date()) })
      open.splice(
        open.findIndex((due) => due.id === id),
        1,
      )
    },
    async delivered() {},
  }
  return { source, open, done, breakAt: (id: string | undefined) => (broken = id) }
}

const byTime = (one: Due, other: Due) => one.at.getTime() - other.at.getTime()
const after = (hours: number) => new Date(start.getTime() + hours * hour)
const deps = (...sources: DueSource[]) => ({ db: world.db, clock: () => new Date(), sources })

test('what is due happens in order across stand-ins, with the clock standing at its moment', async () => {
  const one = newSource('a', [3, 1, 30])
  const other = newSource('b', [2, 4])
  const seen: string[] = []

  const moved = await advanceClock(deps(one.source, other.source), after(24), async ({ due, now }) => {
    expect(await businessNow(world.db, new Date())).toEqual(now)
    seen.push(due?.id ?? 'end')
  })

  expect(seen).toEqual(['a1', 'b2', 'a3', 'b4', 'end'])
  expect(moved.done.map(({ id }) => id)).toEqual(['a1', 'b2', 'a3', 'b4'])
  for (const { id, now, clock } of [...one.done, ...other.done]) {
    expect(now).toEqual(after(Number(id.slice(1))))
    expect(clock).toEqual(now)
  }
  expect(one.open.map(({ id }) => id)).toEqual(['a30'])
  expect(await standingAt(world.db)).toBeUndefined()
  expect((await businessNow(world.db, new Date())).getTime()).toBeGreaterThanOrEqual(after(24).getTime())
})

test('what a step makes due before the end happens too', async () => {
  const { source, open, done } = newSource('a', [1])
  await advanceClock(deps(source), after(5), async ({ due }) => {
    if (due?.id === 'a1') open.push({ id: 'a2', at: after(2), title: '' })
  })

  expect(done.map(({ id }) => id)).toEqual(['a1', 'a2'])
})

test('a move that is killed in the middle is continued by the next', async () => {
  const { source, done, breakAt } = newSource('a', [1, 2, 3])
  breakAt('a2')
  await expect(advanceClock(deps(source), after(5))).rejects.toThrow('killed')
  expect(done.map(({ id }) => id)).toEqual(['a1'])
  expect((await businessNow(world.db, new Date())).getTime()).toBeLessThan(after(2).getTime())

  breakAt(undefined)
  await advanceClock(deps(source), after(5))
  expect(done.map(({ id }) => id)).toEqual(['a1', 'a2', 'a3'])
  expect(done[1]?.now).toEqual(after(2))
})

test('of two moves at once one is refused, and nothing happens twice', async () => {
  const { source, done } = newSource('a', [1, 2, 3])
  const outcomes = await Promise.allSettled([
    advanceClock(deps(source), after(5)),
    advanceClock(deps(source), after(6)),
  ])

  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.map(({ reason }) => reason.code)).toEqual(['clock_is_moving'])
  expect(done.map(({ id }) => id)).toEqual(['a1', 'a2', 'a3'])
})

test('the clock goes only forward', async () => {
  const { source } = newSource('a', [])
  await expect(advanceClock(deps(source), after(-1))).rejects.toMatchObject({ code: 'clock_only_forward' })
})

test('while nothing is to come, the clock is set back and runs on from there; afterwards it is not', async () => {
  const { source } = newSource('a', [1])
  await expect(setClockBack(deps(source), after(-400))).rejects.toMatchObject({ code: 'clock_cannot_go_back' })
  await setClockBack(deps(), after(-400))
  const now = await businessNow(world.db, new Date())
  expect(Math.abs(now.getTime() - after(-400).getTime())).toBeLessThan(5000)

  await advanceClock(deps(source), after(0))
  expect(Math.abs((await businessNow(world.db, new Date())).getTime() - after(0).getTime())).toBeLessThan(5000)
})

test('what is overdue already happens now, not in the past', async () => {
  const { source, done } = newSource('a', [-2])
  await advanceClock(deps(source), after(1))

  expect(done[0]?.now.getTime()).toBeGreaterThanOrEqual(start.getTime())
})

test('as real time passes, what has become due happens by itself, and a clock that was left standing runs on', async () => {
  const { source, done } = newSource('a', [-1, 2])
  await holdClock(world.db, start)
  expect(await catchUp(deps(source))).toBe(1)

  expect(done.map(({ id }) => id)).toEqual(['a-1'])
  expect(await standingAt(world.db)).toBeUndefined()
})

test('a move waits while what is due happens by itself', async () => {
  const { source, done } = newSource('a', [-1, 2])
  let finish = () => {}
  const slow = { ...source, delivered: () => new Promise<void>((resolve) => (finish = resolve)) }
  const catchingUp = catchUp(deps(slow))
  await expect.poll(() => done).toHaveLength(1)
  const moving = advanceClock(deps(source), after(3))
  await pause(200)
  expect(done.map(({ id }) => id)).toEqual(['a-1'])

  finish()
  await Promise.all([catchingUp, moving])
  expect(done.map(({ id }) => id)).toEqual(['a-1', 'a2'])
})

test('a source that repeats the same thing stops the move', async () => {
  const { source } = newSource('a', [1])
  const stuck = { ...source, async perform() {} }
  await expect(advanceClock(deps(stuck), after(2))).rejects.toThrow('repeats')
})

test('the control moves the clock by seconds and to a moment', async () => {
  const move = (payload: object) => world.app.inject({ method: 'POST', url: '/clock/control/advance/', payload })
  const by = (await move({ seconds: 3600 })).json()
  expect(new Date(by.now).getTime() - new Date(by.from).getTime()).toBe(hour)

  const to = after(48).toISOString()
  expect((await move({ to })).json()).toMatchObject({ now: to, steps: [] })
  expect((await move({ to: start.toISOString() })).statusCode).toBe(422)
  expect((await move({})).statusCode).toBe(422)
  expect((await world.app.inject({ url: '/clock/control/' })).json()).toMatchObject({ next: [] })
})

test('another page cannot move the clock', async () => {
  const foreign = { origin: 'http://other.test' }
  const control = { method: 'POST', url: '/clock/control/advance/', payload: { seconds: 1 }, headers: foreign } as const
  expect((await world.app.inject(control)).statusCode).toBe(403)

  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const press = (headers: Record<string, string>) =>
    world.app.inject({ method: 'POST', url: '/clock/advance', payload: 'by=day', headers: { ...form, ...headers } })
  expect((await press(foreign)).statusCode).toBe(403)
  expect((await press({ origin })).statusCode).toBe(303)
  const page = await world.page('/clock')
  expect(page.text).toContain('Nothing is due.')
  expect((await businessNow(world.db, new Date())).getTime()).toBeGreaterThanOrEqual(after(24).getTime())
})

test('account-server is told of a moment, and stops the move if it does not follow', async () => {
  const bodies: string[] = []
  let status = 204
  const server = createServer(async (request, reply) => {
    bodies.push(`${request.method} ${request.url} ${await text(request)}`)
    reply.writeHead(status).end()
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://localhost:${typeof address === 'object' ? address?.port : ''}`

  await setAccountClock(url, new Date('2027-01-31T00:00:00Z'))
  expect(bodies).toEqual(['PUT /business-clock/ {"now":"2027-01-31T00:00:00.000Z"}'])
  status = 500
  const refused = await setAccountClock(url, new Date()).catch((problem: Problem) => problem)
  expect(refused?.message).toContain('500')
  server.close()
  server.closeAllConnections()
  expect((await setAccountClock(url, new Date()).catch((problem: Problem) => problem))?.message).toContain(
    'not reached',
  )
})

test.each([
  ['2027-01-31T10:00:00.000Z', 'month', '2027-02-28T10:00:00.000Z'],
  ['2028-02-29T10:00:00.000Z', 'year', '2029-02-28T10:00:00.000Z'],
  ['2027-12-31T10:00:00.000Z', 'week', '2028-01-07T10:00:00.000Z'],
  ['2027-12-31T10:00:00.000Z', 'day', '2028-01-01T10:00:00.000Z'],
] as const)('from %s a %s leads to %s', (from, by, to) => {
  expect(momentAfter(new Date(from), by).toISOString()).toBe(to)
})
