import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { ticketValidator } from './cas.ts'
import { failureOf } from './cas-failure.ts'
import { readLogoutRequest, readServiceResponse } from './cas-xml.ts'

const service = 'https://account.example.test/account?signin=nonce'
const namespace = 'xmlns:cas="http://www.yale.edu/tp/cas"'
const success = (inner: string) =>
  `<cas:serviceResponse ${namespace}><cas:authenticationSuccess>${inner}</cas:authenticationSuccess></cas:serviceResponse>`

const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  cleanUps.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function casServer(answer: RequestListener) {
  return ticketValidator(`http://127.0.0.1:${await portOf(createServer(answer))}/cas`)
}

/** A closed port. */
async function absentServer() {
  const server = createServer()
  const port = await portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return ticketValidator(`http://127.0.0.1:${port}/cas`)
}

test('a ticket is redeemed at /p3/serviceValidate with exactly our service address', async () => {
  const asked: string[] = []
  const validate = await casServer((request, response) => {
    asked.push(request.url ?? '')
    response.end(success('<cas:user>ada</cas:user><cas:attributes><cas:email>ada@x.test</cas:email></cas:attributes>'))
  })

  expect(await validate('ST-1.sso-host_a', service)).toEqual({ user: 'ada', attributes: { email: 'ada@x.test' } })
  await validate('ST-1.sso-host_a', service, { renew: true })
  const address = `/cas/p3/serviceValidate?service=${encodeURIComponent(service)}&ticket=ST-1.sso-host_a`
  expect(asked).toEqual([address, `${address}&renew=true`])
})

test.each([
  ['a document type', `<!DOCTYPE x><cas:serviceResponse ${namespace}/>`],
  ['an entity of its own', `<!DOCTYPE x [<!ENTITY e "ada">]>${success('<cas:user>&e;</cas:user>')}`],
  ['an unknown entity', success('<cas:user>&ada;</cas:user>')],
  ['two users', success('<cas:user>ada</cas:user><cas:user>eve</cas:user>')],
  ['no user', success('')],
  ['an empty user', success('<cas:user> </cas:user>')],
  ['a user in an attribute only', success('<cas:attributes><cas:user>eve</cas:user></cas:attributes>')],
  [
    'two successes',
    success('<cas:user>a</cas:user>').replace(
      '</cas:serviceResponse>',
      '<cas:authenticationSuccess><cas:user>b</cas:user></cas:authenticationSuccess></cas:serviceResponse>',
    ),
  ],
  ['another namespace', success('<cas:user>ada</cas:user>').replace('yale.edu', 'evil.test')],
  [
    'no namespace',
    '<serviceResponse><authenticationSuccess><user>ada</user></authenticationSuccess></serviceResponse>',
  ],
  ['another root', `<x ${namespace}>${success('<cas:user>ada</cas:user>')}</x>`],
  ['text after the end', `${success('<cas:user>ada</cas:user>')}<more/>`],
  ['half an answer', success('<cas:user>ada</cas:user>').slice(0, -20)],
  ['JSON', '{"serviceResponse":{"authenticationSuccess":{"user":"ada"}}}'],
  ['nothing', ''],
  ['deeply nested elements', '<a>'.repeat(20_000)],
  ['thousands of elements', `<a>${'<b/>'.repeat(10_000)}</a>`],
])('%s is not a valid answer', (_name, xml) => {
  expect(readServiceResponse(xml)).toHaveProperty('failure')
})

test('a failure takes precedence over a success, in either order', () => {
  const failure = '<cas:authenticationFailure code="INVALID_TICKET">no</cas:authenticationFailure>'
  const both = success('<cas:user>eve</cas:user>')
  expect(
    readServiceResponse(both.replace('<cas:authenticationSuccess>', `${failure}<cas:authenticationSuccess>`)),
  ).toEqual({ failure: 'refused', detail: 'INVALID_TICKET' })
  expect(readServiceResponse(both.replace('</cas:serviceResponse>', `${failure}</cas:serviceResponse>`))).toEqual({
    failure: 'refused',
    detail: 'INVALID_TICKET',
  })
})

test('an answer of 10 MB is dropped, not read', async () => {
  let sent = 0
  const validate = await casServer((_request, response) => {
    const chunk = ' '.repeat(64 * 1024)
    const more = () => {
      while (sent < 10_000_000) {
        sent += chunk.length
        if (!response.write(chunk)) return response.once('drain', more)
      }
      response.end(success('<cas:user>eve</cas:user>'))
    }
    more()
  })

  expect(await validate('ST-1', service)).toMatchObject({ failure: 'too_long' })
  expect(sent).toBeLessThan(10_000_000)
})

const answering = (status: number, headers = {}) =>
  casServer((_request, response) => response.writeHead(status, headers).end())

test.each([
  [
    'an unknown host name',
    async () => ticketValidator('http://sso.invalid/cas'),
    { failure: 'dns', detail: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) },
  ],
  ['a closed port', absentServer, { failure: 'connection_refused', detail: 'ECONNREFUSED' }],
  ['a redirect (not followed)', () => answering(302, { location: '/' }), { failure: 'status', detail: '302' }],
  ['an error status', () => answering(503), { failure: 'status', detail: '503' }],
  [
    'another charset',
    () => casServer((_request, response) => response.end(Buffer.from(success('<cas:user>Zoë</cas:user>'), 'latin1'))),
    { failure: 'charset', detail: 'ERR_ENCODING_INVALID_ENCODED_DATA' },
  ],
  [
    'a page instead of an answer',
    () => casServer((_request, response) => response.end('<html><p>ST-1<br></p></html>')),
    { failure: 'malformed', detail: 'not well-formed XML' },
  ],
  [
    'a connection that breaks off',
    () => casServer((request) => request.socket.destroy()),
    { failure: 'connection', detail: 'UND_ERR_SOCKET' },
  ],
])('%s has its own kind of failure, for the log', async (_name, server, failure) => {
  const validate = await server()
  expect(await validate('ST-1', service)).toEqual(failure)
})

test('a server without TLS or with an untrusted certificate has its own kind of failure', async () => {
  const port = await portOf(createServer())
  expect(await ticketValidator(`https://127.0.0.1:${port}/cas`)('ST-1', service)).toMatchObject({ failure: 'tls' })
  const selfSigned = new TypeError('fetch failed', {
    cause: Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
  })
  expect(failureOf(selfSigned)).toEqual({ failure: 'tls', detail: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  expect(failureOf(new DOMException('', 'TimeoutError'))).toEqual({ failure: 'timeout', detail: 'deadline' })
})

test('only the code of a refusal is reported, never the server’s text', () => {
  const refusal = (code: string) =>
    `<cas:serviceResponse ${namespace}><cas:authenticationFailure code="${code}">Ticket ST-1</cas:authenticationFailure></cas:serviceResponse>`
  expect(readServiceResponse(refusal('INVALID_SERVICE'))).toEqual({ failure: 'refused', detail: 'INVALID_SERVICE' })
  expect(readServiceResponse(refusal('Ticket ST-1 is unknown'))).toEqual({ failure: 'refused', detail: 'UNKNOWN' })
})

const withAttributes = (...attributes: string[]) =>
  readServiceResponse(success(`<cas:user>ada</cas:user><cas:attributes>${attributes.join('')}</cas:attributes>`))
const email = (value: string) => `<cas:email>${value}</cas:email>`

test.each([
  ['two addresses', [email('ada@x.test'), email('eve@x.test')]],
  ['one address twice', [email('ada@x.test'), email('ada@x.test')]],
  ['two addresses in two lists', [email('ada@x.test'), '</cas:attributes><cas:attributes>', email('eve@x.test')]],
  ['a name', [email('ada')]],
  ['two addresses in one', [email('ada@x.test,eve@x.test')]],
  ['an address of 255 characters', [email(`${'a'.repeat(248)}@x.test`)]],
])('%s as e-mail is refused', (_name, attributes) => {
  expect(withAttributes(...attributes)).toMatchObject({ failure: 'email' })
})

test('attributes with several values are lists, and those without a value are omitted', () => {
  const groups = '<cas:group>a</cas:group><cas:group>b</cas:group>'
  expect(withAttributes(email('ada@x.test'), groups, '<cas:phone/>')).toEqual({
    user: 'ada',
    attributes: { email: 'ada@x.test' },
    lists: { group: ['a', 'b'] },
  })
  expect(
    withAttributes(
      email(''),
      '<cas:emailVerified>true</cas:emailVerified><cas:emailVerified>false</cas:emailVerified>',
    ),
  ).toEqual({ user: 'ada', attributes: {}, lists: { emailVerified: ['true', 'false'] } })
})

test.each(['ST-', 'PT-1', 'ST-a b', 'ST-<x>', `ST-${'a'.repeat(254)}`, ''])(
  '%j is not a service ticket and is never sent',
  async (ticket) => {
    let requests = 0
    const validate = await casServer((_request, response) => {
      requests += 1
      response.end(success('<cas:user>eve</cas:user>'))
    })

    expect(await validate(ticket, service)).toEqual({ failure: 'malformed', detail: 'not a service ticket' })
    expect(requests).toBe(0)
  },
)

test('a logout request names one ticket', () => {
  const request = (inner: string) =>
    `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="1" Version="2.0">${inner}</samlp:LogoutRequest>`
  const index = '<samlp:SessionIndex>ST-1</samlp:SessionIndex>'

  expect(readLogoutRequest(request(index))).toBe('ST-1')
  expect(readLogoutRequest(request(index + index))).toBeUndefined()
  expect(readLogoutRequest(`<!DOCTYPE x>${request(index)}`)).toBeUndefined()
  expect(readLogoutRequest(request(''))).toBeUndefined()
  expect(readLogoutRequest('no xml')).toBeUndefined()
})

test('parsing of deeply nested elements stops early', () => {
  const startedAt = performance.now()
  expect(readLogoutRequest('<a>'.repeat(100_000))).toBeUndefined()
  expect(performance.now() - startedAt).toBeLessThan(2000)
})

test('at most fifty tickets are validated concurrently', async () => {
  let asked = 0
  const validate = await casServer(() => {
    asked += 1
  })
  const all = Array.from({ length: 60 }, () => validate('ST-1', service))
  const busy = await Promise.all(all.slice(50))
  await expect.poll(() => asked).toBe(50)

  expect(busy).toMatchObject(Array.from({ length: 10 }, () => ({ failure: 'busy' })))
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
  expect(await Promise.all(all.slice(0, 50))).toMatchObject(
    Array.from({ length: 50 }, () => ({ failure: 'connection' })),
  )
})

test('a user is what the answer says, without the white space of its lines alone', () => {
  const userOf = (text: string) => readServiceResponse(success(`<cas:user>${text}</cas:user>`))
  expect(userOf('\n    ada\n  ')).toMatchObject({ user: 'ada' })
  // Much space within a name costs no more than its length.
  expect(userOf(`ada${' '.repeat(100_000)}b`)).toMatchObject({ failure: 'malformed' })
  for (const other of ['ada\u00a0', '\u3000ada', 'ada\ufeff']) expect(userOf(other)).toMatchObject({ user: other })
})
