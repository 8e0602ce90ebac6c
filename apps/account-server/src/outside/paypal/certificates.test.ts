import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { signingCertificates } from './certificates.ts'

const certs = '/v1/notifications/certs/'
const now = new Date()
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

const sandbox = await sandboxOfFile()
/** The certificate with which PayPal's stand-in signs. */
let real = ''
const named = Promise.withResolvers<string>()
/** What PayPal is asked for, in order. */
const asked: string[] = []
/** PayPal, which passes the certificates of its stand-in on; every other name is unknown there. */
const paypal = createServer(async (request, response) => {
  if (request.method === 'POST') {
    named.resolve(String(request.headers['paypal-cert-url']).split('/').at(-1) ?? '')
    return response.end()
  }
  asked.push(request.url ?? '')
  if (request.url !== `${certs}${real}`) return response.writeHead(404).end()
  const reply = await fetch(`${sandbox.url}${request.url}`)
  response.end(await reply.text())
})
let api = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => paypal.listen(0, '127.0.0.1', resolve))
  const address = paypal.address()
  api = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  await sandbox.paypal.control('PUT', 'webhooks/', { url: api, id: 'TESTWEBHOOKID0002' })
  await sandbox.paypal.call('POST', '/v1/catalogs/products', { name: 'Folio', type: 'DIGITAL' })
  real = await named.promise
})
beforeEach(() => {
  asked.length = 0
})
afterAll(() => {
  paypal.close()
})

function certificates() {
  const { PAYPAL_ROOTS = 'system' } = sandbox.settings
  const all = signingCertificates({ PAYPAL_API_URL: api, PAYPAL_ROOTS })
  const ask = (name: string, network = 'attacker', at = now) =>
    all.at(`${api}${certs}${name}`, { network, now: at }).then(
      (certificate) => (certificate ? 'found' : 'none'),
      () => 'refused',
    )
  return { ask, prove: all.prove }
}

test('a name that is none is asked for once in five minutes, and a certificate once, by however many at the same time', async () => {
  const { ask } = certificates()
  expect(await Promise.all([ask('CERT-made-up'), ask('CERT-made-up'), ask(real), ask(real)])).toEqual([
    ...['none', 'none', 'found', 'found'],
  ])
  expect([await ask('CERT-made-up', 'x', later(299)), await ask(real, 'x', later(299))]).toEqual(['none', 'found'])
  expect(asked.toSorted()).toEqual([`${certs}${real}`, `${certs}CERT-made-up`].toSorted())
  await ask('CERT-made-up', 'x', later(301))
  expect(asked).toHaveLength(3)
})

test('a network that makes names up uses up its own share only', async () => {
  const { ask } = certificates()
  for (let name = 0; name < 5; name += 1) expect(await ask(`CERT-${name}`)).toBe('none')
  expect(await ask('CERT-6')).toBe('refused')
  expect(await ask(real, 'paypal')).toBe('found')
  // Known by now, so that it costs nothing.
  expect(await ask(real)).toBe('found')
  expect(asked).toHaveLength(6)
  expect(await ask('CERT-6', 'attacker', later(601))).toBe('none')
})

test('many networks that make names up leave the share of the one that PayPal delivered from before', async () => {
  const { ask, prove } = certificates()
  prove('paypal')
  const answers = []
  for (let network = 0; network < 40; network += 1) answers.push(await ask(`CERT-${network}`, `bot-${network}`))
  expect(answers.filter((answer) => answer === 'none')).toHaveLength(30)
  expect(answers.at(-1)).toBe('refused')
  expect(await ask(real, 'bot-99')).toBe('refused')
  expect(await ask(real, 'paypal')).toBe('found')
})

test('a thousand made-up names push no certificate out', async () => {
  const { ask } = certificates()
  expect(await ask(real, 'paypal')).toBe('found')
  for (let name = 0; name < 1200; name += 1) await ask(`CERT-m-${name}`, `bot-${name}`, later(name * 30))
  asked.length = 0
  expect(await ask(real, 'attacker', later(40_000))).toBe('found')
  expect(asked).toEqual([])
})

test('only names of certificates are asked for: nothing else of PayPal, and no second name of the same', async () => {
  const { ask } = certificates()
  const names = [
    `${real}?again=1`,
    `${real}#1`,
    `../../oauth2/token`,
    `sub/${real}`,
    'other',
    '',
    `CERT-${'x'.repeat(65)}`,
  ]
  expect(await Promise.all(names.map((name) => ask(name)))).toEqual(names.map(() => 'none'))
  expect(asked).toEqual([])
})
