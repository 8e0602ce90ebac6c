import { randomUUID } from 'node:crypto'
import { startSupportSession } from '@atrium/contract/support-sessions.ts'
import { eq } from 'drizzle-orm'
import { members } from '../db/members.tables.ts'
import type { CasSuccess } from '../outside/cas-xml.ts'
import type { newWorld, TestMember } from './world.ts'

type World = Awaited<ReturnType<typeof newWorld>>

/** An agent; `agent()` is another account with the same name. */
export const sam: CasSuccess = {
  user: 'agent-sam',
  attributes: { email: 'sam.support@folio.test', firstName: 'Sam', lastName: 'Okafor', roles: 'support' },
}

function agent(): CasSuccess {
  return { ...sam, user: `agent-${randomUUID()}` }
}

const cookieIn = (reply: { cookies: { name: string; value: string }[] }, name: string) =>
  reply.cookies.find((cookie) => cookie.name === name && cookie.value !== '')?.value

/** A sign-in at `/support`, as a browser does it. @returns the reply, and the cookie if there is one */
export async function signInAtSupport(world: World, principal = agent(), ticket = `ST-${randomUUID()}`) {
  const begun = await world.request({ method: 'GET', url: '/support' })
  const nonce = cookieIn(begun, 'atrium_support_sign_in') ?? ''
  world.tickets.set(ticket, principal)
  const reply = await world.request({
    method: 'GET',
    url: `/support?signin=${nonce}&ticket=${ticket}`,
    cookies: { atrium_support_sign_in: nonce },
  })
  return { begun, reply, nonce, ticket, cookie: `atrium_support=${cookieIn(reply, 'atrium_support') ?? ''}` }
}

/** Sets the end of the member's grant. */
export async function grantSupport(world: World, { id }: Pick<TestMember, 'id'>, until: Date | null): Promise<void> {
  await world.db.update(members).set({ supportAccessUntil: until }).where(eq(members.id, id))
}

export const why = { reason: 'The invoice is missing', ticket: 'T-4711' }

/** An agent in the account of a member, with a grant of a week. @returns the cookie of the support session */
export async function supportIn(world: World, member: TestMember, principal = agent()): Promise<string> {
  await grantSupport(world, member, new Date(world.deps.wallClock().getTime() + 7 * 86_400_000))
  const { cookie } = await signInAtSupport(world, principal)
  return startAs(world, cookie, member.email)
}

/** Starts a support session with an agent's sign-in. @returns its cookie */
export async function startAs(world: World, cookie: string, email: string): Promise<string> {
  const { status, headers } = await world.as({ cookie }).send(startSupportSession, { body: { email, ...why } })
  if (status !== 200) throw new Error(`the support session did not start: ${status}`)
  return /atrium_support=[^;]+/.exec(String(headers['set-cookie']))?.[0] ?? ''
}
