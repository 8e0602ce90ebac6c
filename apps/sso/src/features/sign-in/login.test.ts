import { expect, test } from 'vitest'
import { account, type Browser, demoPassword, newWorld } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { tickets } from '../tickets/tickets.tables.ts'

const service = `${account}/account?signin=abc`
const login = (more: string) => `/cas/login?${more}`
const forService = `service=${encodeURIComponent(service)}`

async function signedIn(world: Awaited<ReturnType<typeof newWorld>>): Promise<Browser> {
  const { email } = await world.newUser()
  const browser = world.browser()
  const reply = await browser.send(wire.signIn, { body: { email, password: demoPassword } })
  expect(reply.status).toBe(200)
  return browser
}

function pageIn(html: string) {
  const [, json = '{}'] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html) ?? []
  return wire.PageData.parse(JSON.parse(json))
}

test('a visitor who is not signed in sees the sign-in page with the service', async () => {
  await using world = await newWorld()
  const reply = await world.browser().get(login(forService))
  expect(reply.statusCode).toBe(200)
  expect(pageIn(reply.body).page).toEqual({
    ...{ name: 'sign-in', service, method: 'GET', renew: false, email: '', program: null },
  })
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(reply.headers['content-security-policy']).toContain("frame-ancestors 'none'")
})

test('the form is filled with the address that the service names, if it is one', async () => {
  await using world = await newWorld()
  const named = (hint: string) => `${forService}&email=${encodeURIComponent(hint)}`
  const signIn = await world.browser().get(login(named('nia@folio.test')))
  expect(pageIn(signIn.body).page).toMatchObject({ name: 'sign-in', service, email: 'nia@folio.test' })
  const signUp = await world.browser().get(`/sign-up?${named('nia@folio.test')}&method=POST`)
  expect(pageIn(signUp.body).page).toEqual({ name: 'sign-up', service, method: 'POST', email: 'nia@folio.test' })
  for (const hint of ['call +1 555 0100', `${'n'.repeat(250)}@folio.test`, 'nia@folio.test\0']) {
    expect(pageIn((await world.browser().get(login(named(hint)))).body).page).toMatchObject({ email: '' })
  }
})

test('a signed-in user is redirected immediately, with a ticket of the documented form', async () => {
  await using world = await newWorld()
  const browser = await signedIn(world)
  const reply = await browser.get(login(forService))
  expect(reply.statusCode).toBe(302)
  const { location = '' } = reply.headers
  expect(location).toMatch(/^http:\/\/localhost:3000\/account\?signin=abc&ticket=ST-[0-9A-Za-z]{22,29}$/)
})

test('tickets are stored as hashes only', async () => {
  await using world = await newWorld()
  const browser = await signedIn(world)
  const ticket = String((await browser.get(login(forService))).headers.location).split('ticket=')[1] ?? ''
  expect(ticket).toMatch(/^ST-/)
  expect(JSON.stringify(await world.db.select().from(tickets))).not.toContain(ticket)
})

test('a program on the customer’s own machine gets a ticket, only at a loopback address with a port', async () => {
  await using world = await newWorld()
  const browser = await signedIn(world)
  const asked = async (address: string) => (await browser.get(login(`service=${encodeURIComponent(address)}`))).headers

  for (const service of ['http://127.0.0.1:53123/signed-in', 'http://[::1]:53123/']) {
    const { location } = await asked(service)
    // Any site can open this address: the person is told which program it is, and sends the ticket themselves.
    expect(location).toBeUndefined()
    const { page } = pageIn((await browser.get(login(`service=${encodeURIComponent(service)}`))).body)
    expect(page).toMatchObject({ name: 'program', service, program: new URL(service).host })
    const { body } = await browser.send(wire.continueToProgram, { body: { service } })
    expect(body.redirectUrl).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):53123\/.*\?ticket=ST-/)
  }
  for (const address of [
    'http://127.0.0.1/',
    'https://127.0.0.1:53123/',
    'http://localhost:53123/',
    'http://127.0.0.1.evil.example:53123/',
    'http://me@127.0.0.1:53123/',
    'http://127.0.0.1:53123/#here',
    'http://127.0.0.1:53123/#',
  ]) {
    expect((await asked(address)).location, address).toBeUndefined()
  }
})

test('a program on the machine gets no ticket unasked: not by gateway, of who is not signed in, or as another service', async () => {
  await using world = await newWorld()
  const browser = await signedIn(world)
  const program = 'http://127.0.0.1:53123/signed-in'
  const unasked = await browser.get(login(`service=${encodeURIComponent(program)}&gateway=true`))
  expect(unasked.headers.location).toBe(program)

  const send = (who: typeof browser, wanted: string) =>
    who.send(wire.continueToProgram, { body: { service: wanted } }).then(({ status, body }) => [status, body.code])
  expect(await send(world.browser(), program)).toEqual([401, 'signed_out'])
  expect(await send(browser, service)).toEqual([403, 'service_refused'])
  const foreign = { body: { service: program } }
  expect((await browser.send(wire.continueToProgram, foreign, { origin: 'http://evil.test' })).status).toBe(403)
  const form = pageIn((await world.browser().get(login(`service=${encodeURIComponent(program)}`))).body).page
  expect(form).toMatchObject({ name: 'sign-in', program: '127.0.0.1:53123' })
})

test('if desktop products may not sign in, loopback addresses are refused', async () => {
  await using world = await newWorld({ config: { SSO_LOOPBACK_SERVICES: false } })
  const browser = await signedIn(world)
  const reply = await browser.get(login(`service=${encodeURIComponent('http://127.0.0.1:53123/signed-in')}`))
  expect([reply.statusCode, reply.headers.location]).toEqual([403, undefined])
})

test('renew asks a signed-in user for the password, and overrides gateway', async () => {
  await using world = await newWorld()
  const browser = await signedIn(world)
  for (const query of [`${forService}&renew=true`, `${forService}&renew=true&gateway=true`]) {
    const reply = await browser.get(login(query))
    expect(reply.statusCode).toBe(200)
    expect(pageIn(reply.body).page.name).toBe('sign-in')
  }
})

test('gateway redirects a visitor back without a ticket, and a signed-in user with one', async () => {
  await using world = await newWorld()
  const unknown = await world.browser().get(login(`${forService}&gateway=true`))
  expect(unknown.headers.location).toBe(service)

  const known = await (await signedIn(world)).get(login(`${forService}&gateway=true`))
  expect(known.headers.location).toContain('&ticket=ST-')
})

test('gateway without a service shows the page', async () => {
  await using world = await newWorld()
  expect(pageIn((await world.browser().get(login('gateway=true'))).body).page.name).toBe('sign-in')
})

test('without a service, a signed-in user sees that they are signed in', async () => {
  await using world = await newWorld()
  const reply = await (await signedIn(world)).get('/cas/login')
  expect(pageIn(reply.body).page).toMatchObject({ name: 'signed-in' })
})

test('method POST answers with a form that submits itself to the service, and only there', async () => {
  await using world = await newWorld()
  const reply = await (await signedIn(world)).get(login(`${forService}&method=POST`))
  expect(reply.statusCode).toBe(200)
  expect(reply.body).toContain(`<form method="post" action="${account}/account?signin=abc">`)
  expect(reply.body).toMatch(/<input type="hidden" name="ticket" value="ST-[0-9A-Za-z]+">/)
  const policy = String(reply.headers['content-security-policy'])
  expect(policy).toContain(`form-action 'self' ${account};`)
  const [, nonce] = /script nonce="([^"]+)"/.exec(reply.body) ?? []
  expect(policy).toContain(`'nonce-${nonce}'`)
})

test('method HEADER names service and ticket in headers, without a body', async () => {
  await using world = await newWorld()
  const reply = await (await signedIn(world)).get(login(`${forService}&method=header`))
  expect(reply.statusCode).toBe(302)
  expect(reply.body).toBe('')
  expect(reply.headers.ticket).toMatch(/^ST-/)
  expect(reply.headers.location).toBe(`${service}&ticket=${reply.headers.ticket}`)
})

test('an unregistered service is refused with a page, signed in or not, and never redirected to', async () => {
  await using world = await newWorld()
  const browser = await signedIn(world)
  const strangers = [
    'https://evil.example/',
    'http://localhost:3000.evil.example/account',
    'http://localhost:3000@evil.example/account',
    'http://evil@localhost:3000/account',
    'https://localhost:3000/account',
    'http://localhost:3003/account',
    'http://localhost:3002/cloudy',
    'http://localhost:3002/cloud/../site',
    'http://localhost:3002/cloud/%2e%2e/site',
    'javascript:alert(1)',
    '//evil.example/account',
    'http://localhost:3000\\@evil.example/',
    'http://local\nhost:3000/account',
    `${account}/account#fragment`,
  ]
  for (const stranger of strangers.filter((one) => !one.includes('\\'))) {
    for (const visitor of [browser, world.browser()]) {
      const reply = await visitor.get(login(`gateway=true&service=${encodeURIComponent(stranger)}`))
      expect([stranger, reply.statusCode]).toEqual([stranger, 403])
      expect(reply.headers.location).toBeUndefined()
      expect(pageIn(reply.body).page.name).toBe('refused-service')
    }
  }
})

test('a backslash is parsed as browsers do', async () => {
  await using world = await newWorld()
  const reply = await world
    .browser()
    .get(login(`gateway=true&service=${encodeURIComponent('http://localhost:3000\\@evil.example/')}`))
  expect(new URL(String(reply.headers.location)).origin).toBe(account)
})

test('a service given twice or as invalid text is malformed', async () => {
  await using world = await newWorld()
  for (const query of [`${forService}&${forService}`, 'service=', 'service=%00']) {
    const reply = await world.browser().get(login(query))
    expect([query, reply.statusCode]).toEqual([query, 400])
    expect(pageIn(reply.body).page.name).toBe('malformed')
  }
})

test('HEAD issues no ticket', async () => {
  await using world = await newWorld()
  const browser = await signedIn(world)
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const reply = await world.app.inject({ method: 'HEAD', url: login(forService), headers: { cookie } })
  expect(reply.statusCode).toBe(404)
})

test('the language comes from the address, then from the cookie it left, then from the browser', async () => {
  await using world = await newWorld()
  const browser = world.browser()
  const localeOf = async (url: string, headers = {}) => pageIn((await browser.get(url, headers)).body).locale
  expect(await localeOf('/cas/login', { 'accept-language': 'fr-CA,fr;q=0.9' })).toBe('fr-fr')
  expect(await localeOf('/cas/login?locale=ja-jp')).toBe('ja-jp')
  expect(await localeOf('/cas/login', { 'accept-language': 'fr' })).toBe('ja-jp')
  expect(await localeOf('/cas/login?locale=xx')).toBe('ja-jp')
  expect((await browser.get('/cas/login')).body).toContain('<html lang="ja-jp">')
})

test('a service’s address cannot break out of the page’s data', async () => {
  await using world = await newWorld()
  const nasty = `${account}/account?a=</script><script>alert(1)</script>`
  const reply = await world.browser().get(login(`service=${encodeURIComponent(nasty)}`))
  expect(reply.body).not.toContain('<script>alert')
  expect(pageIn(reply.body).page).toMatchObject({ service: nasty })
})

test('a session that is idle for hours, or too old, asks for the password again', async () => {
  await using world = await newWorld()
  const browser = await signedIn(world)
  world.wait(7 * 3600)
  expect((await browser.get(login(forService))).statusCode).toBe(302)
  world.wait(4 * 3600)
  expect((await browser.get(login(forService))).statusCode).toBe(302)
  world.wait(2 * 3600)
  expect((await browser.get(login(forService))).statusCode).toBe(200)
})
