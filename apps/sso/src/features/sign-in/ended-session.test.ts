import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setRole } from '../../commands/account-role.ts'
import { account, demoPassword, newWorld } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { sessions } from '../accounts/accounts.tables.ts'
import { sessionOf } from '../session/session.queries.ts'
import { ticketFromSession } from './session-ticket.writes.ts'

test('a request that has read the session before it is ended neither extends it nor gets a ticket', async () => {
  await using world = await newWorld()
  const { db, deps } = world
  const { email, id } = await world.newUser()
  await setRole(db, { email, roles: ['support'] }, () => undefined)
  const browser = world.browser()
  await browser.send(wire.signIn, { body: { email, password: demoPassword } })
  world.wait(120)
  const session = await sessionOf(db, browser.cookies.get('sso_session'), deps.clock())
  if (!session) throw new Error('not signed in')

  await setRole(db, { email, roles: [] }, () => undefined)
  const caller = { address: '192.0.2.1', requestId: 'test' }
  expect(await ticketFromSession(deps, { session, service: `${account}/support`, caller })).toBeUndefined()
  const [left] = await db.select().from(sessions).where(eq(sessions.userId, id))
  expect(left?.expiresAt.getTime()).toBeLessThanOrEqual(deps.clock().getTime())
})
