import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setRole } from '../../commands/account-role.ts'
import { account, demoPassword, newWorld } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { sessions } from '../accounts/accounts.tables.ts'
import { sessionOf } from '../session/session.queries.ts'
import { ticketFromSession } from './session-ticket.writes.ts'

test.each([
  ['before', -1000],
  ['after', 1000],
])(
  'a request that has read a session does not extend it once it is ended; it took its time %s that',
  async (_when, ms) => {
    await using world = await newWorld()
    const { db, deps } = world
    const { email, id } = await world.newUser()
    await setRole(db, { email, roles: ['support'] }, () => undefined)
    const browser = world.browser()
    await browser.send(wire.signIn, { body: { email, password: demoPassword } })
    const ofUser = eq(sessions.userId, id)
    await db
      .update(sessions)
      .set({ updatedAt: new Date(Date.now() - 600_000) })
      .where(ofUser)
    const session = await sessionOf(db, browser.cookies.get('sso_session'), deps.clock())
    if (!session) throw new Error('not signed in')

    await setRole(db, { email, roles: [] }, () => undefined)
    const [ended] = await db.select().from(sessions).where(ofUser)
    const now = new Date((ended?.expiresAt.getTime() ?? 0) + ms)
    const caller = { address: '192.0.2.1', requestId: 'test' }
    await ticketFromSession({ ...deps, clock: () => now }, { session, service: `${account}/support`, caller })
    expect(await db.select().from(sessions).where(ofUser)).toEqual([ended])
  },
)
