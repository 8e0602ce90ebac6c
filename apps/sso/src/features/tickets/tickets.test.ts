import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { account, demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { sessions } from '../accounts/accounts.tables.ts'
import { tickets } from './tickets.tables.ts'
import { sweepTickets } from './tickets.writes.ts'

const login = `/cas/login?service=${encodeURIComponent(account)}`

async function signedIn(world: World) {
  const { id, email } = await world.newUser()
  const browser = world.browser()
  await browser.send(wire.signIn, { body: { email, password: demoPassword } })
  return {
    browser,
    newTicket: async () => String((await browser.get(login)).headers.location).split('ticket=')[1] ?? '',
    kept: () =>
      world.db
        .select()
        .from(tickets)
        .innerJoin(sessions, eq(sessions.id, tickets.sessionId))
        .where(eq(sessions.userId, id)),
  }
}

async function validated(world: World, ticket: string): Promise<boolean> {
  const reply = await world.app.inject({ url: '/cas/serviceValidate', query: { service: account, ticket } })
  return reply.body.includes('<cas:user>')
}

test('a session keeps its fifty newest unvalidated tickets, and every validated one', async () => {
  await using world = await newWorld()
  const { newTicket, kept } = await signedIn(world)
  const taken = await newTicket()
  expect(await validated(world, taken)).toBe(true)
  const oldest = await newTicket()
  for (let round = 0; round < 49; round += 1) await newTicket()
  expect(await kept()).toHaveLength(51)

  await Promise.all(Array.from({ length: 10 }, newTicket))
  const newest = await newTicket()
  const rows = await kept()
  expect(rows.filter(({ tickets: { accepted } }) => accepted)).toHaveLength(1)
  expect(rows).toHaveLength(51)
  expect([await validated(world, oldest), await validated(world, newest)]).toEqual([false, true])
})

test('expired tickets that were never validated are removed; the others stay until the session ends', async () => {
  await using world = await newWorld()
  const { newTicket, kept } = await signedIn(world)
  expect(await validated(world, await newTicket())).toBe(true)
  await newTicket()
  world.wait(31)
  const living = await newTicket()
  await sweepTickets(world.deps)

  expect((await kept()).map(({ tickets: { accepted } }) => accepted).sort()).toEqual([false, true])
  expect(await validated(world, living)).toBe(true)
})
