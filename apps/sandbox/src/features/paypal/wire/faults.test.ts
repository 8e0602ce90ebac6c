import { expect, test } from 'vitest'
import { ofFile } from '../../../test/of-file.ts'
import { newPaypalWorld } from '../../../test/paypal.ts'
import { faults } from '../store/faults.ts'

const world = await ofFile(newPaypalWorld())

const path = '/v1/catalogs/products'
const count = async (name: string) => {
  const { json } = await world.get('/v1/notifications/webhooks-events?page_size=300')
  return json.events.filter(({ resource }: { resource: { name: string } }) => resource.name === name).length
}
const fault = (kind: Parameters<typeof faults.plan>[1]['kind'], milliseconds = 0) =>
  faults.plan(world.db, { kind, pattern: path, times: 1, milliseconds })

test.each(['reset', 'html', 'error'] as const)(
  'after «%s» the effect stands, and the same id answers it',
  async (kind) => {
    await fault(kind)
    const headers = { 'paypal-request-id': `fault-${kind}` }
    const first = await world.post(path, { name: kind }, headers).catch(() => undefined)
    const again = await world.post(path, { name: kind }, headers)

    if (kind === 'reset') expect(first).toBeUndefined()
    if (kind === 'html') expect(first?.headers.get('content-type')).toContain('text/html')
    if (kind === 'error') expect(first).toMatchObject({ status: 500, json: { name: 'INTERNAL_SERVER_ERROR' } })
    expect(again).toMatchObject({ status: 200, json: { name: kind } })
    expect(await count(kind)).toBe(1)
  },
)

test('a delay comes after the effect', async () => {
  await fault('delay', 300)
  const started = Date.now()

  expect((await world.post(path, { name: 'Late' })).status).toBe(201)
  expect(Date.now() - started).toBeGreaterThan(250)
})

test('a rate limit comes before the effect', async () => {
  await fault('rate_limit')

  expect(await world.post(path, { name: 'Never' })).toMatchObject({ status: 429, json: { name: 'RATE_LIMIT_REACHED' } })
  expect(await count('Never')).toBe(0)
})

test('of many concurrent requests, exactly the planned number fails', async () => {
  await faults.plan(world.db, { kind: 'rate_limit', pattern: '*', times: 3, milliseconds: 0 })
  const replies = await Promise.all(Array.from({ length: 8 }, () => world.get('/v1/billing/plans')))

  expect(replies.filter(({ status }) => status === 429)).toHaveLength(3)
})
