import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'

const service = 'http://localhost:3002/cloud/us'
const person = { firstName: 'Mina', lastName: '<Haddad>', email: 'mina@folio.test' }
const success = { authenticationSuccess: { user: 'u-1', attributes: person } }

/** A sandbox beside a single sign-on with one ticket. */
async function newCloud() {
  const heard: URL[] = []
  let ticket = 'ST-good'
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://sso')
    heard.push(url)
    const asked = url.searchParams.get('ticket')
    const isRight = asked === ticket && url.searchParams.get('service') === service
    const code = asked === ticket ? 'INVALID_SERVICE' : 'INVALID_TICKET'
    if (asked === ticket) ticket = ''
    response.end(JSON.stringify({ serviceResponse: isRight ? success : { authenticationFailure: { code } } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const world = await newWorld(undefined, `http://127.0.0.1:${address.port}`)
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    ...world,
    heard,
    stop,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await stop()
    },
  }
}

const query = (values: Record<string, string>) => `/cloud/us?${new URLSearchParams(values)}`

test('the ticket is validated with the own address, and the person greeted by name and enterprise; once', async () => {
  await using cloud = await newCloud()
  const from = 'http://localhost:3000/de/account?tab=my-products'
  const address = query({ ticket: 'ST-good', casService: 'http://evil.test', enterpriseId: 'ORG-<OMAR>', from })
  const { status, text } = await cloud.page(address)

  expect(status).toBe(200)
  expect(text).toContain('<h1>Folio Cloud – United States</h1>')
  expect(text).toContain('Welcome, Mina &#60;Haddad&#62;.')
  expect(text).toContain('<code>ORG-&#60;OMAR&#62;</code>')
  expect(text).toContain(`href="${from.replace('&', '&#38;')}"`)
  const [asked] = cloud.heard
  expect(asked?.pathname).toBe('/cas/p3/serviceValidate')
  expect(Object.fromEntries(asked?.searchParams ?? [])).toEqual({ service, ticket: 'ST-good', format: 'JSON' })

  const second = await cloud.page(address)
  expect(second.status).toBe(403)
  expect(second.text).toContain('This address has been used or has expired.')
  expect(second.text).not.toContain('Mina')
})

test('another region refuses the ticket, and so it is used up', async () => {
  await using cloud = await newCloud()
  const { status, text } = await cloud.page('/cloud/eu?ticket=ST-good')

  expect([status, text.includes('This address is for another data region.')]).toEqual([403, true])
  expect((await cloud.page(query({ ticket: 'ST-good' }))).status).toBe(403)
})

test('without a ticket one can sign in at the single sign-on, which leads back here', async () => {
  await using cloud = await newCloud()
  const { status, text } = await cloud.page('/cloud/au')

  expect(status).toBe(200)
  expect(text).toContain(`/cas/login?service=${encodeURIComponent('http://localhost:3002/cloud/au')}"`)
  expect(cloud.heard).toEqual([])
})

test('while the single sign-on is away the page says so', async () => {
  await using cloud = await newCloud()
  await cloud.stop()
  const { status, text } = await cloud.page(query({ ticket: 'ST-good' }))

  expect([status, text.includes('The single sign-on does not answer')]).toEqual([403, true])
})

test.each([
  'http://evil.test/account',
  'http://localhost:3000@evil.test/',
  'http://evil:x@localhost:3000/account',
  'javascript:alert(1)',
  '//evil.test',
  '',
])('from=%s leads back to the account area all the same', async (from) => {
  await using cloud = await newCloud()
  const { text } = await cloud.page(query({ ticket: 'ST-good', from }))

  expect(text).toContain('href="http://localhost:3000/account"')
  expect(text).not.toContain('evil')
})

test('other regions do not exist, and a single logout is accepted', async () => {
  await using cloud = await newCloud()
  expect((await cloud.page('/cloud/moon')).status).toBe(404)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (url: string) => cloud.app.inject({ method: 'POST', url, headers, payload: 'logoutRequest=%3Cx%2F%3E' })
  expect([(await post('/cloud/us')).statusCode, (await post('/cloud/moon')).statusCode]).toEqual([200, 404])
})
