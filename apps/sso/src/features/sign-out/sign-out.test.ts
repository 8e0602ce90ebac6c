import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { account, demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { sessions } from '../accounts/accounts.tables.ts'
import { endSessions, logoutQueue } from '../session/end-sessions.writes.ts'
import { tickets } from '../tickets/tickets.tables.ts'
import { deliverLogout, endExpiredSessions } from './sign-out.jobs.ts'

interface Heard {
  url: string
  message: string
}

/** A service that receives single logout notices and answers with a given status. */
async function newService(answer: (heard: number) => number | 'hang-up' = () => 200) {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      heard.push({ url: request.url ?? '', message: new URLSearchParams(body).get('logoutRequest') ?? '' })
      const status = answer(heard.length)
      if (status === 'hang-up') return request.socket.destroy()
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    heard,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Signs in to a service and validates its ticket. */
async function visit(world: World, service: string) {
  const user = await world.newUser()
  const browser = world.browser()
  const reply = await browser.send(wire.signIn, { body: { email: user.email, password: demoPassword, service } })
  const ticket = new URL(reply.body.redirectUrl).searchParams.get('ticket') ?? ''
  const validated = await world.app.inject({ url: '/cas/serviceValidate', query: { service, ticket } })
  expect(validated.body).toContain('<cas:user>')
  return { user, browser, ticket }
}

test('a service that may still be storing its session gets the notice once more, and a later one does not', async () => {
  await using service = await newService()
  await using world = await newWorld({ config: { SSO_SERVICES: [service.url] }, work: true })
  const [early, late] = [await visit(world, service.url), await visit(world, service.url)]
  await early.browser.get('/cas/logout')
  expect(await waitingNotices(world)).toBe(1)
  world.wait(16)
  await late.browser.get('/cas/logout')
  await expect.poll(() => service.heard).toHaveLength(2)
  expect(await waitingNotices(world)).toBe(1)
})

/** Notices that are sent later. */
async function waitingNotices({ db }: World): Promise<number> {
  const waiting = sql`select count(*)::int as number from sso_jobs.job where name = ${logoutQueue} and start_after > now()`
  return Number((await db.execute(waiting)).rows[0]?.number)
}

test('a program on the customer’s own machine gets a ticket, but no single logout notice', async () => {
  await using program = await newService()
  await using service = await newService()
  await using world = await newWorld({ config: { SSO_SERVICES: [service.url] }, work: true })
  const { browser } = await visit(world, program.url)
  const more = await browser.get(`/cas/login?service=${encodeURIComponent(service.url)}`)
  const ticket = new URL(String(more.headers.location)).searchParams.get('ticket') ?? ''
  await world.app.inject({ url: '/cas/serviceValidate', query: { service: service.url, ticket } })

  await browser.get('/cas/logout')
  await expect.poll(() => service.heard).toHaveLength(1)
  expect(program.heard).toEqual([])
})

test('signing out notifies every service that validated a ticket, with that ticket', async () => {
  await using service = await newService()
  await using world = await newWorld({ config: { SSO_SERVICES: [service.url] }, work: true })
  const { browser, ticket, user } = await visit(world, `${service.url}/de/account?signin=abc`)
  // This ticket was never validated, so no service has a session for it.
  await browser.get(`/cas/login?service=${encodeURIComponent(`${service.url}/other`)}`)

  const reply = await browser.get('/cas/logout')
  expect(reply.statusCode).toBe(200)
  expect(browser.cookies.has('sso_session')).toBe(false)
  await expect.poll(() => service.heard).toHaveLength(1)
  const [{ url, message } = { url: '', message: '' }] = service.heard
  expect(url).toBe('/de/account')
  expect(message).toContain('<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"')
  expect(message).toContain(`<samlp:SessionIndex>${ticket}</samlp:SessionIndex>`)
  expect(message).toContain(`<saml:NameID>${user.id}</saml:NameID>`)
  expect(await world.acts(user.id)).toContain('session.ended')
})

test('only 2xx is an acceptance: a redirect (not followed), a 429 and an error are retried', async () => {
  const first = (status: number) => newService((count) => (count === 1 ? status : 204))
  await using redirecting = await first(302)
  await using limiting = await first(429)
  await using failing = await first(500)
  const services = [redirecting, limiting, failing]
  await using world = await newWorld({ config: { SSO_SERVICES: services.map(({ url }) => url) }, work: true })
  for (const { url } of services) await (await visit(world, `${url}/app`)).browser.get('/cas/logout')

  for (const { heard } of services) {
    await expect.poll(() => heard).toHaveLength(2)
    expect(heard.map(({ url }) => url)).toEqual(['/app', '/app'])
  }
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(services.map(({ heard }) => heard.length)).toEqual([2, 2, 2])
})

test('a notice is retried for a day, then abandoned with a log line that does not contain the ticket', async () => {
  await using service = await newService(() => 503)
  await using world = await newWorld({ config: { SSO_SERVICES: [service.url] } })
  const { deps } = world
  const notice = {
    service: `${service.url}/app?signin=nonce`,
    sealed: deps.secrets.seal('ST-secret'),
    userId: 'somebody',
    endedAt: deps.clock().toISOString(),
  }
  const error = vi.spyOn(deps.logger, 'error')

  await expect(deliverLogout(deps, notice, 'job')).rejects.toThrow(`${service.url}/app answered 503`)
  expect(error).not.toHaveBeenCalled()

  world.wait(24 * 3600)
  await deliverLogout(deps, notice, 'job')
  const [[fields] = []] = error.mock.calls
  expect(fields).toMatchObject({ event: 'single_logout.abandoned', address: `${service.url}/app`, userId: 'somebody' })
  expect(JSON.stringify(error.mock.calls)).not.toMatch(/ST-|nonce/)
  expect(service.heard).toHaveLength(2)
})

test('a notice to an unreachable service is retried', async () => {
  await using service = await newService((count) => (count === 1 ? 'hang-up' : 200))
  await using world = await newWorld({ config: { SSO_SERVICES: [service.url] }, work: true })
  await (await visit(world, `${service.url}/app`)).browser.get('/cas/logout')
  await expect.poll(() => service.heard).toHaveLength(2)
  expect(service.heard[0]).toEqual(service.heard[1])
})

test('signing out redirects to a registered address only', async () => {
  await using world = await newWorld()
  const next = async (query: string) => (await world.browser().get(`/cas/logout?${query}`)).headers.location
  expect(await next(`service=${encodeURIComponent(`${account}/`)}`)).toBe(`${account}/`)
  expect(await next(`url=${encodeURIComponent(`${account}/de/account`)}`)).toBe(`${account}/de/account`)
  for (const stranger of [
    'https://evil.example/',
    '//evil.example',
    `${account}.evil.example/`,
    'javascript:alert(1)',
  ]) {
    expect(await next(`service=${encodeURIComponent(stranger)}`)).toBeUndefined()
  }
})

test('HEAD does not sign out', async () => {
  await using world = await newWorld()
  const { email } = await world.newUser()
  const browser = world.browser()
  await browser.send(wire.signIn, { body: { email, password: demoPassword } })
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const head = await world.app.inject({ method: 'HEAD', url: '/cas/logout', headers: { cookie } })
  expect(head.cookies).toEqual([])
  expect((await browser.get(`/cas/login?service=${encodeURIComponent(account)}`)).statusCode).toBe(302)
})

test('an image, a frame or a prefetch does not sign out', async () => {
  await using world = await newWorld()
  const { email } = await world.newUser()
  const browser = world.browser()
  await browser.send(wire.signIn, { body: { email, password: demoPassword } })
  for (const headers of [
    { 'sec-fetch-dest': 'image' },
    { 'sec-fetch-dest': 'iframe' },
    { 'sec-purpose': 'prefetch' },
  ]) {
    await browser.get('/cas/logout', headers)
  }
  expect((await browser.get(`/cas/login?service=${encodeURIComponent(account)}`)).statusCode).toBe(302)
  await browser.get('/cas/logout', { 'sec-fetch-dest': 'document' })
  expect((await browser.get(`/cas/login?service=${encodeURIComponent(account)}`)).statusCode).toBe(200)
})

test('signing out without a session shows the same page', async () => {
  await using world = await newWorld()
  const reply = await world.browser().get('/cas/logout')
  expect(reply.statusCode).toBe(200)
  expect(reply.body).toContain('"signed-out"')
})

test('an expired session ends by itself, and its services are notified', async () => {
  await using service = await newService()
  await using world = await newWorld({ config: { SSO_SERVICES: [service.url] }, work: true })
  const { user, ticket } = await visit(world, `${service.url}/app`)
  expect(await endExpiredSessions(world.deps)).toBe(0)
  world.wait(9 * 3600)
  expect(await endExpiredSessions(world.deps)).toBeGreaterThanOrEqual(1)
  await expect.poll(() => service.heard.map(({ message }) => message).join()).toContain(ticket)
  expect(await world.acts(user.id)).toContain('session.ended')
})

test('signing in again after a session has ended keeps none of its services', async () => {
  await using service = await newService()
  await using world = await newWorld({ config: { SSO_SERVICES: [service.url] } })
  const { user, browser } = await visit(world, service.url)
  await world.db.update(sessions).set({ expiresAt: world.deps.clock() }).where(eq(sessions.userId, user.id))
  await browser.send(wire.signIn, { body: { email: user.email, password: demoPassword } })
  expect(await world.db.$count(tickets, eq(tickets.service, service.url))).toBe(0)
  expect((await world.acts(user.id)).filter((action) => action === 'session.ended')).toHaveLength(1)
})

test('signing in again as the same person keeps the services; as another person it ends their sessions', async () => {
  await using service = await newService()
  await using world = await newWorld({ config: { SSO_SERVICES: [service.url] }, work: true })
  const { user, browser, ticket } = await visit(world, `${service.url}/app`)
  await browser.send(wire.signIn, { body: { email: user.email, password: demoPassword } })
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(service.heard).toEqual([])

  const other = await world.newUser()
  await browser.send(wire.signIn, { body: { email: other.email, password: demoPassword } })
  await expect.poll(() => service.heard.map(({ message }) => message).join()).toContain(ticket)
})

test('a concurrent sign-out and password change do not deadlock', async () => {
  await using world = await newWorld()
  const { id } = await world.newUser()
  const end = { jobs: world.jobs, reason: 'sign-out', now: new Date() } as const
  for (let round = 0; round < 5; round += 1) {
    const ids = await sessionsWithTickets(world, id, 3)
    const client = await world.db.$client.connect()
    // Locks a session and then its tickets, as a password change does.
    await client.query('begin')
    await client.query('select id from sso.sessions where id = $1 for update', [ids[0]])
    const other = world.db.transaction((tx) => endSessions(tx, ids.toReversed(), end))
    await new Promise((resolve) => setTimeout(resolve, 100))
    await client.query('delete from sso.tickets where session_id = $1', [ids[0]])
    await client.query('delete from sso.sessions where id = $1', [ids[0]])
    await client.query('commit')
    client.release()
    await other
  }
  expect(await world.db.select().from(sessions).where(eq(sessions.userId, id))).toEqual([])
})

async function sessionsWithTickets(world: World, userId: string, count: number): Promise<string[]> {
  const now = new Date()
  const later = new Date(now.getTime() + 3_600_000)
  const rows = Array.from({ length: count }, () => {
    const id = randomUUID()
    return { id, token: id, userId, createdAt: now, updatedAt: now, expiresAt: later }
  })
  await world.db.insert(sessions).values(rows)
  await world.db.insert(tickets).values(
    rows.map(({ id }) => ({
      hash: id,
      sealed: 'sealed',
      sessionId: id,
      service: account,
      fromNewLogin: false,
      issuedAt: now,
      expiresAt: later,
    })),
  )
  return rows.map(({ id }) => id)
}
