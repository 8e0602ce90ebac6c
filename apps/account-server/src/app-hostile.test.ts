import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newApp } from '@atrium/server-kit/app.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { addressesOf, hostileRequests } from '@atrium/server-kit/test-hostile-requests.ts'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { assetRoutes } from './page/assets.routes.ts'
import { newWorld } from './test/world.ts'

/** A reply or a problem, never a 5xx or a stack trace. */
function expectAnswer(url: unknown, { statusCode, headers, body }: LightMyRequestResponse): void {
  expect([url, statusCode < 500]).toEqual([url, true])
  expect([url, headers['x-content-type-options']]).toEqual([url, 'nosniff'])
  expect(body).not.toMatch(/node_modules|\.ts:\d+|ENOENT/)
  if (statusCode < 400 || body === '' || String(headers['content-type']).includes('text/html')) return
  expect([url, headers['content-type']]).toEqual([url, expect.stringMatching(/^application\/problem\+json/)])
  expect(JSON.parse(body)).toMatchObject({
    status: statusCode,
    code: expect.any(String),
    requestId: expect.any(String),
  })
}

async function askAll(app: FastifyInstance, addresses: readonly string[]): Promise<void> {
  for (const request of hostileRequests(addresses)) expectAnswer(request.url, await app.inject(request))
}

test('no anonymous request to any route fails, whatever its address and headers', async () => {
  await using world = await newWorld()
  await world.app.ready()
  const addresses = addressesOf(world.app)
  expect(addresses).toEqual(
    expect.arrayContaining(['/account', '/account/cards/x/default', '/webhooks/stripe', '/livez']),
  )
  await askAll(world.app, addresses)
})

test('nor does a request below the files of the page', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-assets-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'page.js'), 'script')
  const app = await newApp({ logger: newLogger('test', 'silent'), publicUrl: 'http://localhost', trustedProxies: [] })
  await assetRoutes(app, { folder, devUrl: undefined })

  expect((await app.inject('/account/assets/page.js')).body).toBe('script')
  await askAll(app, ['/account/assets/', '/account/assets/page.js'])
})

test('HEAD is answered like GET, without a body', async () => {
  await using world = await newWorld()
  const { cookie } = await world.member()
  for (const url of ['/account', '/de/account', '/account/profile/', '/nowhere']) {
    const [head, get] = [
      await world.request({ method: 'HEAD', url, headers: { cookie } }),
      await world.request({ method: 'GET', url, headers: { cookie } }),
    ]
    expect([url, head.statusCode, head.body]).toEqual([url, get.statusCode, ''])
  }
})
