import { createServer, type RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { ticketValidator } from './cas.ts'
import { readLogoutRequest, readServiceResponse } from './cas-xml.ts'

const service = 'https://account.example.test/account?signin=nonce'
const namespace = 'xmlns:cas="http://www.yale.edu/tp/cas"'
const success = (inner: string) =>
  `<cas:serviceResponse ${namespace}><cas:authenticationSuccess>${inner}</cas:authenticationSuccess></cas:serviceResponse>`

const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})

async function casServer(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  cleanUps.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return ticketValidator(`http://127.0.0.1:${address.port}/cas`)
}

test('a ticket is redeemed at /p3/serviceValidate with exactly our service address', async () => {
  const asked: string[] = []
  const validate = await casServer((request, response) => {
    asked.push(request.url ?? '')
    response.end(success('<cas:user>ada</cas:user><cas:attributes><cas:email>ada@x.test</cas:email></cas:attributes>'))
  })

  expect(await validate('ST-1.sso-host_a', service)).toEqual({ user: 'ada', attributes: { email: 'ada@x.test' } })
  expect(asked).toEqual([`/cas/p3/serviceValidate?service=${encodeURIComponent(service)}&ticket=ST-1.sso-host_a`])
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
  ['a tower of elements', '<a>'.repeat(20_000)],
  ['a crowd of elements', `<a>${'<b/>'.repeat(10_000)}</a>`],
])('%s is no answer', (_name, xml) => {
  expect(readServiceResponse(xml)).toHaveProperty('failure')
})

test('a failure beside a success wins, in either order', () => {
  const failure = '<cas:authenticationFailure code="INVALID_TICKET">no</cas:authenticationFailure>'
  const both = success('<cas:user>eve</cas:user>')
  expect(
    readServiceResponse(both.replace('<cas:authenticationSuccess>', `${failure}<cas:authenticationSuccess>`)),
  ).toEqual({
    failure: 'INVALID_TICKET',
  })
  expect(readServiceResponse(both.replace('</cas:serviceResponse>', `${failure}</cas:serviceResponse>`))).toEqual({
    failure: 'INVALID_TICKET',
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

  expect(await validate('ST-1', service)).toEqual({ failure: 'TOO_LONG' })
  expect(sent).toBeLessThan(10_000_000)
})

test('a redirect is not followed, an error status is no answer, and a refused connection is one too', async () => {
  const redirecting = await casServer((_request, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  )
  const failing = await casServer((_request, response) =>
    response.writeHead(500).end(success('<cas:user>eve</cas:user>')),
  )
  const absent = ticketValidator('http://127.0.0.1:1/cas')

  expect(await redirecting('ST-1', service)).toEqual({ failure: 'UNREACHABLE' })
  expect(await failing('ST-1', service)).toHaveProperty('failure')
  expect(await absent('ST-1', service)).toEqual({ failure: 'UNREACHABLE' })
})

test.each(['ST-', 'PT-1', 'ST-a b', 'ST-<x>', `ST-${'a'.repeat(254)}`, ''])(
  '%j is no service ticket and is never sent',
  async (ticket) => {
    let requests = 0
    const validate = await casServer((_request, response) => {
      requests += 1
      response.end(success('<cas:user>eve</cas:user>'))
    })

    expect(await validate(ticket, service)).toEqual({ failure: 'MALFORMED' })
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

test('a tower of elements is given up at once, not measured to its top', () => {
  const startedAt = performance.now()
  expect(readLogoutRequest('<a>'.repeat(100_000))).toBeUndefined()
  expect(performance.now() - startedAt).toBeLessThan(200)
})

test('a flood of tickets asks the single sign-on fifty at a time, and no more', async () => {
  let asked = 0
  const validate = await casServer(() => {
    asked += 1
  })
  const all = Array.from({ length: 60 }, () => validate('ST-1', service))
  const busy = await Promise.all(all.slice(50))
  await expect.poll(() => asked).toBe(50)

  expect(busy).toEqual(Array.from({ length: 10 }, () => ({ failure: 'BUSY' })))
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
  expect(await Promise.all(all.slice(0, 50))).toEqual(Array.from({ length: 50 }, () => ({ failure: 'UNREACHABLE' })))
})
