import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newApp } from '@atrium/server-kit/app.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { expect, test } from 'vitest'
import { browserRoutes } from './browser.routes.ts'

/** The SDK's routes, with nothing built yet. */
async function newBrowser() {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-paypal-'))
  const app = await newApp({
    logger: newLogger('sandbox', 'silent'),
    publicUrl: 'http://localhost:3002',
    trustedProxies: [],
  })
  browserRoutes(app, { merchantUrl: 'http://localhost:3000/', folder })
  return {
    get: (path: string) => app.inject({ url: `/paypal/sdk/${path}` }),
    async build(path: string, content: string) {
      await mkdir(join(folder, path, '..'), { recursive: true })
      await writeFile(join(folder, path), content)
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await rm(folder, { recursive: true })
    },
  }
}

test('the script can be loaded from any origin by a known client, as soon as it is built', async () => {
  await using browser = await newBrowser()
  expect((await browser.get('js?client-id=client_folio')).statusCode).toBe(404)

  await browser.build('sdk/paypal.js', 'window.paypal = 1')
  const reply = await browser.get('js?client-id=client_folio&vault=true&intent=subscription')

  expect(reply.statusCode).toBe(200)
  expect(reply.body).toBe('window.paypal = 1')
  expect(reply.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
  })
})

test.each(['', '?client-id=', '?client-id=AXxyz', '?client-id=a&client-id=b'])(
  'the client «%s» gets no script',
  async (query) => {
    await using browser = await newBrowser()
    await browser.build('sdk/paypal.js', 'window.paypal = 1')
    const reply = await browser.get(`js${query}`)

    expect(reply.statusCode).toBe(400)
    expect(reply.body).toContain('client-id not recognized')
  },
)

test('the button can be embedded by the merchant’s page only', async () => {
  await using browser = await newBrowser()
  const reply = await browser.get('button')

  expect(reply.statusCode).toBe(200)
  expect(reply.headers['x-frame-options']).toBeUndefined()
  expect(reply.headers['content-security-policy']).toContain('frame-ancestors http://localhost:3000')
  expect(reply.headers['content-security-policy']).toContain("script-src 'self';")
  expect(reply.body).toContain('data-merchant="http://localhost:3000"')
})

test('the popup waits on a page that stays connected to its opener', async () => {
  await using browser = await newBrowser()
  const reply = await browser.get('loading')

  expect(reply.statusCode).toBe(200)
  expect(reply.headers['cross-origin-opener-policy']).toBe('unsafe-none')
  expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
})
