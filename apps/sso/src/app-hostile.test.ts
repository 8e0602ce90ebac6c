import { addressesOf, hostileRequests } from '@atrium/server-kit/test-hostile-requests.ts'
import { expect, test } from 'vitest'
import { newWorld } from './test/world.ts'

test('no anonymous request to any route ends in an internal error, whatever its address and headers contain', async () => {
  await using world = await newWorld()
  await world.app.ready()
  const addresses = addressesOf(world.app)
  expect(addresses).toEqual(
    expect.arrayContaining(['/cas/login', '/cas/p3/serviceValidate', '/reset-password', '/livez']),
  )
  for (const request of hostileRequests(addresses)) {
    const { statusCode, headers, body } = await world.app.inject(request)
    expect([request.url, statusCode < 500]).toEqual([request.url, true])
    expect([request.url, headers['x-content-type-options']]).toEqual([request.url, 'nosniff'])
    expect(body).not.toMatch(/node_modules|\.ts:\d+/)
  }
})
