import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newApp } from '@atrium/server-kit/app.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { expect, test } from 'vitest'
import { browserRoutes } from './browser.routes.ts'

/** The SDK's routes, with nothing built yet. */
async function newBrowser() {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-browser-'))
  const app = await newApp({
    logger: newLogger('sandbox', 'silent'),
    publicUrl: 'http://localhost:3002',
    trustedProxies: [],
  })
  browserRoutes(app, { merchantUrl: 'http://localhost:3000/', brandName: 'Folio & <Sons>', folder })
  return {
    get: (name: string) => app.inject({ url: `/cards/js/endive/${name}` }),
    async build(path: string, content: string) {
      await mkdir(join(folder, 'sdk'), { recursive: true })
      await writeFile(join(folder, path), content)
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await rm(folder, { recursive: true })
    },
  }
}

test('the script can be loaded from any origin, as soon as it is built', async () => {
  await using browser = await newBrowser()
  expect((await browser.get('stripe.js')).statusCode).toBe(404)

  await browser.build('sdk/stripe.js', 'window.Stripe = 1')
  const reply = await browser.get('stripe.js')

  expect(reply.statusCode).toBe(200)
  expect(reply.body).toBe('window.Stripe = 1')
  expect(reply.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
  })
})

test.each(['challenge', 'controller', 'element'])(
  'the %s can be embedded by the merchant’s page only',
  async (kind) => {
    await using browser = await newBrowser()
    const reply = await browser.get(kind)

    expect(reply.statusCode).toBe(200)
    expect(reply.headers['x-frame-options']).toBeUndefined()
    expect(reply.headers['content-security-policy']).toContain('frame-ancestors http://localhost:3000')
    expect(reply.headers['content-security-policy']).toContain("script-src 'self';")
    expect(reply.body).toContain(`data-frame="${kind}"`)
    expect(reply.body).toContain('data-merchant="http://localhost:3000"')
    expect(reply.body).toContain('data-business="Folio &#38; &#60;Sons&#62;"')
  },
)

test('a release other than the loader’s is not found', async () => {
  await using browser = await newBrowser()

  expect((await browser.get('../basil/stripe.js')).statusCode).toBe(404)
  expect((await browser.get('frame')).statusCode).toBe(404)
})
