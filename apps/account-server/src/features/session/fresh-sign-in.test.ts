import { randomUUID } from 'node:crypto'
import { endOtherSessions, endSession } from '@atrium/contract/active-sessions.ts'
import { setSupportAccess } from '@atrium/contract/security.ts'
import { readSession } from '@atrium/contract/session.ts'
import { subscriptionTransfer } from '@atrium/contract/transfers.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { CasSuccess } from '../../outside/cas-xml.ts'
import { comeBack, sessionCookieOf, signInAs } from '../../test/sign-in.ts'
import { newWorld } from '../../test/world.ts'
import { sessions } from './session.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const now = '2026-06-01T09:30:00Z'
const grant = { body: { grantLoginExpireTime: '1w' as const } }

function person(attributes: Readonly<Record<string, string>> = {}): CasSuccess {
  const email = `${randomUUID()}@example.test`
  return {
    user: randomUUID(),
    attributes: { email, emailVerified: 'true', firstName: 'Ada', lastName: 'L', ...attributes },
  }
}

/** A sign-in in the login popup of the dialog, as a browser does it. */
async function signInFreshly(world: World, answer: CasSuccess, ticket = `ST-${randomUUID()}`) {
  world.tickets.set(ticket, answer)
  const start = await world.request({ method: 'GET', url: '/account/sign-in/fresh/' })
  const nonce = start.cookies.find(({ name }) => name === 'atrium_sign_in')?.value ?? ''
  const login = new URL(start.headers.location ?? '')
  const end = await comeBack(world, { ticket, nonce, path: '/account/signed-in/fresh' })
  return { login, end, caller: { cookie: `atrium_session=${sessionCookieOf(end)}` } }
}

test('what is sensitive is refused ten minutes after the sign-in, and done after another one', async () => {
  await using world = await newWorld({ now })
  const member = await world.member()
  const answers = async () => {
    const as = world.as(member)
    const replies = [
      await as.send(setSupportAccess, grant),
      await as.send(endOtherSessions, {}),
      await as.send(endSession, { params: { id: 'x' } }),
      await as.send(subscriptionTransfer, {
        body: {
          email: 'to@example.test',
          verificationCodeForCurrent: '123456',
          verificationCodeForRecipient: '123456',
          lang: 'en-us',
        },
      }),
    ]
    return replies.map(({ status, body }) => (status === 403 ? body.code : status))
  }

  world.at('2026-06-01T09:40:00Z')
  expect(await answers()).not.toContain('fresh_sign_in_required')
  world.at('2026-06-01T09:40:01Z')
  expect(await answers()).toEqual(Array(4).fill('fresh_sign_in_required'))
  const [row] = await world.db.select().from(sessions).where(eq(sessions.memberId, member.id))
  await world.db
    .update(sessions)
    .set({ freshAt: new Date('2026-06-01T09:39:00Z') })
    .where(eq(sessions.id, row?.id ?? ''))
  expect(await answers()).not.toContain('fresh_sign_in_required')
})

test('the popup asks the single sign-on for new credentials, at its login page and when the ticket is validated', async () => {
  await using world = await newWorld({ now })
  const { login, end, caller } = await signInFreshly(world, person())

  expect(login.searchParams.get('renew')).toBe('true')
  expect(login.searchParams.get('gateway')).toBeNull()
  expect(world.asked.at(-1)).toMatchObject({ renew: true, service: login.searchParams.get('service') })
  expect(end.headers.location).toBe('/account/signed-in/fresh')
  expect((await world.as(caller).send(readSession, {})).body.isFresh).toBe(true)
  expect((await world.as(caller).send(setSupportAccess, grant)).status).toBe(200)
})

test('a ticket of a session that is said not to be new is refused in that popup, which asks for credentials once more', async () => {
  await using world = await newWorld({ now })
  const { end } = await signInFreshly(world, person({ isFromNewLogin: 'false' }))

  expect(sessionCookieOf(end)).toBeUndefined()
  const again = new URL(end.headers.location ?? '')
  expect(again.pathname).toBe('/cas/login')
  expect(again.searchParams.get('renew')).toBe('true')
})

const authenticated = (at: string, isFromNewLogin = 'true') => ({ isFromNewLogin, authenticationDate: at })

test.each([
  ['credentials that were entered for it', authenticated(now), true],
  ['the format of other servers', authenticated('2026-06-01T09:25:00.123Z[GMT]'), true],
  ['credentials that were entered long before', authenticated('2026-06-01T09:19:59Z'), false],
  ['a session', authenticated(now, 'false'), false],
  ['a date that is none', authenticated('yesterday'), false],
  ['a date that does not say of which zone', authenticated('2026-06-01T09:29:00'), false],
  ['a date with another offset', authenticated('2026-06-01T11:25:00+02:00'), true],
  ['a clock that is far ahead', authenticated('2026-06-01T10:30:00Z'), false],
  ['a server that says nothing', {}, false],
])('an ordinary sign-in by %s', async (_name, attributes, isFresh) => {
  await using world = await newWorld({ now })
  const cookie = sessionCookieOf(await signInAs(world, person(attributes)))
  const caller = { cookie: `atrium_session=${cookie}` }

  expect((await world.as(caller).send(readSession, {})).body.isFresh).toBe(isFresh)
  expect((await world.as(caller).send(setSupportAccess, grant)).status).toBe(isFresh ? 200 : 403)
})

test('a clock of the single sign-on that is ahead makes no sign-in last longer', async () => {
  await using world = await newWorld({ now })
  const cookie = sessionCookieOf(await signInAs(world, person(authenticated('2026-06-01T09:31:30Z'))))
  world.at('2026-06-01T09:40:01Z')
  expect((await world.as({ cookie: `atrium_session=${cookie}` }).send(readSession, {})).body.isFresh).toBe(false)
})
