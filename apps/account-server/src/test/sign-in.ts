import type { CasAnswer } from '../outside/cas-xml.ts'
import type { newWorld } from './world.ts'

type World = Awaited<ReturnType<typeof newWorld>>

/** Opens a page signed out, as a browser does: keeps the nonce cookie and follows the login page's address. */
export async function arrive(world: World, url = '/account', cookies: Record<string, string> = {}) {
  const reply = await world.request({ method: 'GET', url, cookies })
  const nonce = reply.cookies.find(({ name }) => name === 'atrium_sign_in')?.value ?? ''
  return { reply, nonce, page: reply.statusCode === 200 ? reply.json().data : undefined }
}

/** The browser's return from the login page. */
export function comeBack(world: World, { ticket, nonce, cookie = nonce, path = '/account' }: Record<string, string>) {
  return world.request({
    method: 'GET',
    url: `${path}?signin=${nonce}&ticket=${ticket}`,
    cookies: cookie ? { atrium_sign_in: cookie } : {},
  })
}

export function sessionCookieOf(reply: { cookies: { name: string; value: string }[] }): string | undefined {
  return reply.cookies.find(({ name }) => name === 'atrium_session')?.value
}

let tickets = 0

/** A complete sign-in of a person known to the single sign-on. */
export async function signInAs(world: World, answer: CasAnswer, path?: string) {
  tickets += 1
  const ticket = `ST-way-${tickets}`
  world.tickets.set(ticket, answer)
  const { nonce } = await arrive(world)
  return comeBack(world, { ticket, nonce, ...(path && { path }) })
}
