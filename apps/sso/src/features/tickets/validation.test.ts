import { eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { account, demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { sessions, users } from '../accounts/accounts.tables.ts'
import { tickets } from './tickets.tables.ts'

const service = `${account}/account?signin=abc`

interface TicketOptions {
  primary?: boolean
  roles?: string[]
  firstName?: string
}

/** A fresh ticket for `service`, from a password or from a session. */
async function newTicket(world: World, { primary = true, roles = [], ...name }: TicketOptions = {}) {
  const user = await world.newUser(name)
  await world.db.update(users).set({ roles }).where(eq(users.id, user.id))
  const browser = world.browser()
  const credentials = { email: user.email, password: demoPassword }
  const first = await browser.send(wire.signIn, { body: { ...credentials, ...(primary && { service }) } })
  const address = primary
    ? first.body.redirectUrl
    : String((await browser.get(`/cas/login?service=${encodeURIComponent(service)}`)).headers.location)
  const ticket = new URL(address).searchParams.get('ticket') ?? ''
  return { ticket, user, browser }
}

async function validate(world: World, path: string, query: Record<string, string>) {
  const reply = await world.app.inject({ method: 'GET', url: `/cas/${path}`, query })
  return { status: reply.statusCode, body: reply.body, headers: reply.headers }
}

const codeOf = (body: string) => /<cas:\w+Failure code="(\w+)">/.exec(body)?.[1]

test('CAS 1 answers in two lines', async () => {
  await using world = await newWorld()
  const { ticket, user } = await newTicket(world)
  expect((await validate(world, 'validate', { service, ticket })).body).toBe(`yes\n${user.id}\n`)
  const again = await validate(world, 'validate', { service, ticket })
  expect(again.body).toBe('no\n\n')
  expect(again.headers['content-type']).toContain('text/plain')
})

test('CAS 2 returns only the account’s id', async () => {
  await using world = await newWorld()
  for (const path of ['serviceValidate', 'proxyValidate']) {
    const { ticket, user } = await newTicket(world)
    const { status, body, headers } = await validate(world, path, { service, ticket })
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('application/xml')
    expect(body).toContain(`<cas:user>${user.id}</cas:user>`)
    expect(body).not.toContain('cas:attributes')
  }
})

test('CAS 3 returns the attributes, in XML and in JSON', async () => {
  await using world = await newWorld()
  for (const path of ['p3/serviceValidate', 'p3/proxyValidate']) {
    const xml = await newTicket(world)
    const { body } = await validate(world, path, { service, ticket: xml.ticket })
    expect(body).toContain(`<cas:email>${xml.user.email}</cas:email>`)
    expect(body).toContain('<cas:emailVerified>true</cas:emailVerified>')
    expect(body).toContain('<cas:firstName>Ada</cas:firstName>')
    expect(body).toContain('<cas:lastName>Lindqvist</cas:lastName>')

    const json = await newTicket(world)
    const reply = await validate(world, path, { service, ticket: json.ticket, format: 'json' })
    const { authenticationSuccess } = JSON.parse(reply.body).serviceResponse
    expect(authenticationSuccess).toMatchObject({
      user: json.user.id,
      attributes: { email: json.user.email, isFromNewLogin: true, longTermAuthenticationRequestTokenUsed: false },
    })
    expect(Date.parse(authenticationSuccess.attributes.authenticationDate)).toBeGreaterThan(Date.now() - 60_000)
  }
})

test('CAS 3 names the roles of an account that has any', async () => {
  await using world = await newWorld()
  const agent = await newTicket(world, { roles: ['support', 'auditor'] })
  const { body } = await validate(world, 'p3/serviceValidate', { service, ticket: agent.ticket, renew: 'true' })
  expect(body).toMatch(/<cas:roles>support<\/cas:roles>\s+<cas:roles>auditor<\/cas:roles>/)
  const customer = await newTicket(world)
  const reply = await validate(world, 'p3/serviceValidate', { service, ticket: customer.ticket })
  expect(reply.body).toContain('cas:authenticationSuccess')
  expect(reply.body).not.toContain('cas:roles')
})

test('names cannot inject markup', async () => {
  await using world = await newWorld()
  const { ticket, user } = await newTicket(world, { firstName: '</cas:user><cas:user>x&"\'\u0001' })
  const { body } = await validate(world, 'p3/serviceValidate', { service, ticket })
  expect(body.match(/<cas:user>/g)).toHaveLength(1)
  expect(body).toContain(`<cas:user>${user.id}</cas:user>`)
  expect(body).toContain('<cas:firstName>&#60;/cas:user&#62;&#60;cas:user&#62;x&#38;&#34;&#39;</cas:firstName>')
})

test('a parameter that is missing or given twice is INVALID_REQUEST', async () => {
  await using world = await newWorld()
  const { ticket } = await newTicket(world)
  for (const path of ['serviceValidate', 'p3/serviceValidate', 'proxyValidate', 'p3/proxyValidate']) {
    for (const query of [{}, { service }, { ticket }, { service: '', ticket }]) {
      expect(codeOf((await validate(world, path, query)).body)).toBe('INVALID_REQUEST')
    }
  }
  const twice = `service=${encodeURIComponent(service)}`
  const reply = await world.app.inject(`/cas/serviceValidate?${twice}&${twice}&ticket=${ticket}`)
  expect(codeOf(reply.body)).toBe('INVALID_REQUEST')
  expect((await validate(world, 'validate', { service })).body).toBe('no\n\n')
})

test('a malformed ticket is INVALID_TICKET_SPEC', async () => {
  await using world = await newWorld()
  for (const ticket of ['', 'ST-', 'TGT-abc', 'ST-a_b', `ST-${'a'.repeat(30)}`, 'ST-a<b>', 'PT-abc'].slice(1)) {
    expect([ticket, codeOf((await validate(world, 'serviceValidate', { service, ticket })).body)]).toEqual([
      ticket,
      'INVALID_TICKET_SPEC',
    ])
  }
  expect(codeOf((await validate(world, 'proxyValidate', { service, ticket: 'PT-abc' })).body)).toBe('INVALID_TICKET')
})

test('an unknown ticket and a used one are INVALID_TICKET, with the same reply', async () => {
  await using world = await newWorld()
  const { ticket } = await newTicket(world)
  await validate(world, 'p3/serviceValidate', { service, ticket })
  const used = await validate(world, 'p3/serviceValidate', { service, ticket })
  const unknown = await validate(world, 'p3/serviceValidate', { service, ticket: 'ST-unknown' })
  expect(codeOf(used.body)).toBe('INVALID_TICKET')
  expect(used.body).toBe(unknown.body)
})

test('a ticket lives for 30 seconds', async () => {
  await using world = await newWorld()
  const late = await newTicket(world)
  world.wait(29)
  const inTime = await newTicket(world)
  world.wait(2)
  expect(codeOf((await validate(world, 'serviceValidate', { service, ticket: late.ticket })).body)).toBe(
    'INVALID_TICKET',
  )
  expect((await validate(world, 'serviceValidate', { service, ticket: inTime.ticket })).body).toContain('<cas:user>')
})

test('another service is INVALID_SERVICE, and uses the ticket up', async () => {
  await using world = await newWorld()
  for (const other of [`${account}/account`, `${service}x`, 'https://evil.example/', `${service}&ticket=1`]) {
    const { ticket } = await newTicket(world)
    expect(codeOf((await validate(world, 'p3/serviceValidate', { service: other, ticket })).body)).toBe(
      'INVALID_SERVICE',
    )
    expect(codeOf((await validate(world, 'p3/serviceValidate', { service, ticket })).body)).toBe('INVALID_TICKET')
  }
})

test('renew accepts only a ticket issued after a password was entered', async () => {
  await using world = await newWorld()
  const fromPassword = await newTicket(world)
  const fromSession = await newTicket(world, { primary: false })
  const renewed = { service, renew: 'true' }
  expect((await validate(world, 'serviceValidate', { ...renewed, ticket: fromPassword.ticket })).body).toContain(
    '<cas:user>',
  )
  expect(codeOf((await validate(world, 'serviceValidate', { ...renewed, ticket: fromSession.ticket })).body)).toBe(
    'INVALID_TICKET',
  )
  const { ticket } = await newTicket(world, { primary: false })
  const { body } = await validate(world, 'p3/serviceValidate', { service, ticket })
  expect(body).toContain('<cas:isFromNewLogin>false</cas:isFromNewLogin>')
})

test('a request for a proxy ticket is refused, and no address is called', async () => {
  await using world = await newWorld()
  const proxy = await newTicket(world)
  const https = { service, ticket: proxy.ticket, pgtUrl: 'https://localhost:1/callback' }
  expect(codeOf((await validate(world, 'serviceValidate', https)).body)).toBe('UNAUTHORIZED_SERVICE_PROXY')
  expect(codeOf((await validate(world, 'serviceValidate', { service, ticket: proxy.ticket })).body)).toBe(
    'INVALID_TICKET',
  )

  const { ticket } = await newTicket(world)
  const http = { service, ticket, pgtUrl: 'http://localhost:1/callback' }
  expect(codeOf((await validate(world, 'serviceValidate', http)).body)).toBe('INVALID_PROXY_CALLBACK')
})

test('the proxy endpoint refuses in its own format', async () => {
  await using world = await newWorld()
  const reply = await validate(world, 'proxy', { pgt: 'PGT-1', targetService: service })
  expect(reply.body).toContain('<cas:proxyFailure code="UNAUTHORIZED_SERVICE">')
  expect(codeOf((await validate(world, 'proxy', { pgt: 'PGT-1' })).body)).toBe('INVALID_REQUEST')
})

test('of twenty concurrent validations exactly one succeeds', async () => {
  await using world = await newWorld()
  const { ticket } = await newTicket(world)
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => validate(world, 'p3/serviceValidate', { service, ticket })),
  )
  expect(replies.filter(({ body }) => body.includes('<cas:authenticationSuccess>'))).toHaveLength(1)
  expect(replies.filter(({ body }) => codeOf(body) === 'INVALID_TICKET')).toHaveLength(19)
})

test('a ticket that another sign-in of its browser moves meanwhile is valid', async () => {
  await using world = await newWorld()
  const { ticket, user } = await newTicket(world)
  const isOfUser = eq(sessions.userId, user.id)
  const { validation } = await world.db.transaction(async (tx) => {
    const [old] = await tx.update(sessions).set({ token: 'left' }).where(isOfUser).returning()
    if (!old) throw new Error('nobody is signed in')
    await tx.insert(sessions).values({ ...old, id: 'next', token: 'next' })
    await tx.update(tickets).set({ sessionId: 'next' }).where(eq(tickets.sessionId, old.id))
    await tx.delete(sessions).where(eq(sessions.id, old.id))
    const validation = validate(world, 'p3/serviceValidate', { service, ticket })
    const waits = sql`datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(() => world.db.$count(sql`pg_stat_activity`, waits)).toBe(1)
    return { validation }
  })
  expect((await validation).body).toContain(`<cas:user>${user.id}</cas:user>`)
})

test('a ticket ends with its session', async () => {
  await using world = await newWorld()
  const { ticket, browser } = await newTicket(world)
  await browser.get('/cas/logout')
  expect(codeOf((await validate(world, 'serviceValidate', { service, ticket })).body)).toBe('INVALID_TICKET')
})

test('HEAD does not use the ticket up', async () => {
  await using world = await newWorld()
  const { ticket } = await newTicket(world)
  for (const path of ['validate', 'serviceValidate', 'proxyValidate', 'p3/serviceValidate', 'p3/proxyValidate']) {
    await world.app.inject({ method: 'HEAD', url: `/cas/${path}`, query: { service, ticket } })
  }
  expect((await validate(world, 'serviceValidate', { service, ticket })).body).toContain('<cas:user>')
})

test('while the database is away, a validation is one short line in the log', async () => {
  await using world = await newWorld()
  const { ticket } = await newTicket(world)
  const lines: { level: string; entry: object }[] = []
  const child = world.app.log.child({})
  child.warn = (entry: object) => void lines.push({ level: 'warn', entry })
  child.error = (entry: object) => void lines.push({ level: 'error', entry })
  vi.spyOn(world.app.log, 'child').mockReturnValue(child)
  world.deps.clock = () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }
  expect(codeOf((await validate(world, 'serviceValidate', { service, ticket })).body)).toBe('INTERNAL_ERROR')
  const reason = { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' }
  expect(lines).toEqual([{ level: 'warn', entry: { route: '/cas/serviceValidate', reason } }])
  vi.restoreAllMocks()
})

test('an internal error is reported to services in their own protocol', async () => {
  await using world = await newWorld()
  const { ticket } = await newTicket(world)
  const broken = world.deps.clock
  world.deps.clock = () => {
    throw new Error('no clock')
  }
  expect(codeOf((await validate(world, 'serviceValidate', { service, ticket })).body)).toBe('INTERNAL_ERROR')
  world.deps.clock = broken
})
