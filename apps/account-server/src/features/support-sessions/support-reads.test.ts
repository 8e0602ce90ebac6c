import type { Endpoint } from '@atrium/contract/endpoint.ts'
import { listLicenses } from '@atrium/contract/licenses.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { isReadBySupport } from '@atrium/server-kit/serve.ts'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { heldKey, newSubscription } from '../../test/factories.ts'
import { mountedEndpoints } from '../../test/mounted-endpoints.ts'
import { supportIn } from '../../test/support.ts'
import { newWorld, type TestMember } from '../../test/world.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const origin = 'http://localhost:3000'
const someId = '00000000-0000-4000-8000-000000000000'

/** What a support agent may read. Think twice before you add something. */
const readable = [
  '/account/billing-addresses/',
  '/account/cards/',
  '/account/dictionaries/',
  '/account/email-devices/',
  '/account/key-devices/',
  '/account/key-devices/keys/',
  '/account/licenses/',
  '/account/licenses/:licenseId/key-codes/',
  '/account/my-products/',
  '/account/my-products/renewals/',
  '/account/offered-subscriptions/',
  '/account/offline-orders/',
  '/account/online-orders/',
  '/account/payments-being-checked/',
  '/account/products/',
  '/account/profile/',
  '/account/roadmap/',
  '/account/search/',
  '/account/session/',
  '/account/subscription/',
  '/account/subscriptions/:sid/cards/',
  '/account/subscriptions/:sid/users/',
  '/account/support-access/',
]

function ask(world: World, { method, path }: Endpoint, cookie: string | undefined, search = '') {
  const url = `/support${path.replaceAll(/:\w+/g, someId)}${search}`
  const headers = { origin, ...(cookie && { cookie }) }
  return world.request({ method, url, headers, ...(method !== 'GET' && { payload: {} }) })
}

/** A hash of every row in the database, and the jobs that were enqueued. */
async function contents(world: World): Promise<unknown> {
  const tables = await world.db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'account' and tablename <> 'rate_limits' order by tablename`,
  )
  const hashes = tables.rows.map(async ({ name }) => {
    const table = sql.raw(`account."${name}"`)
    const { rows } = await world.db.execute(
      sql`select md5(string_agg(t::text, '|' order by t::text)) as hash from ${table} t`,
    )
    return [name, rows[0]?.hash]
  })
  return { tables: await Promise.all(hashes), jobs: [...world.sent] }
}

test('of all endpoints an agent may read those on the list, and no mutation, and without a session none', async () => {
  await using world = await newWorld()
  const endpoints = await mountedEndpoints(world)
  const cookie = await supportIn(world, await world.member())
  const before = await contents(world)

  const allowed: string[] = []
  for (const endpoint of endpoints) {
    const reply = await ask(world, endpoint, cookie)
    const name = [endpoint.method, endpoint.path]
    expect([...name, (await ask(world, endpoint, undefined)).json().code]).toEqual([...name, 'support_ended'])
    if (isReadBySupport(endpoint)) {
      allowed.push(endpoint.path)
      expect([...name, [200, 404, 422]]).toEqual([...name, expect.arrayContaining([reply.statusCode])])
    } else {
      expect([...name, reply.statusCode, reply.json().code]).toEqual([...name, 403, 'support_read_only'])
    }
  }
  expect(endpoints.length).toBeGreaterThan(60)
  expect(allowed.sort()).toEqual(readable)
  expect(await contents(world)).toEqual(before)
})

/** What a member with a key and a subscription has to read. */
async function fullAccount(world: World): Promise<{ member: TestMember; code: string; urls: string[] }> {
  const member = await world.member()
  const { license, key } = await heldKey(world, member)
  const manageUrl = 'https://manage.folio.test/portal/secret'
  const subscription = await newSubscription(world, member, { manageUrl })
  const urls = [
    '/account/session/',
    '/account/profile/',
    '/account/online-orders/',
    '/account/offline-orders/',
    '/account/subscription/',
    `/account/subscriptions/${subscription.id}/users/`,
    '/account/products/?from=device',
    '/account/licenses/',
    `/account/licenses/${license.id}/key-codes/`,
    `/account/key-devices/?code=${key.id}`,
    '/account/key-devices/keys/?keyWord=pc',
    '/account/email-devices/',
    '/account/my-products/?lang=de-de',
    '/account/my-products/renewals/',
    '/account/roadmap/',
    '/account/search/?keyWord=pc',
    '/account/cards/',
    '/account/billing-addresses/',
    '/account/support-access/',
  ]
  return { member, code: key.key, urls }
}

test('what an agent reads contains no key and no address of another program, and changes nothing', async () => {
  await using world = await newWorld({ settings: { LINK_HOSTS: 'manage.folio.test' } })
  const { member, code, urls } = await fullAccount(world)
  const cookie = await supportIn(world, member)
  const before = await contents(world)

  for (const url of [...urls, '/account?tab=my-orders']) {
    const reply = await world.request({ method: 'GET', url: `/support${url}`, headers: { cookie } })
    expect([url, reply.statusCode]).toEqual([url, 200])
    expect(reply.body).not.toContain(code)
    if (!url.startsWith('/account?')) expect(reply.body).not.toMatch(/"https?:/)
  }
  expect(await contents(world)).toEqual(before)

  // The member still has them.
  const own = await world.as(member).send(listSubscriptions, { query: {} })
  expect(own.body.list[0]?.manageUrl).toBe('https://manage.folio.test/portal/secret')
  expect((await world.as(member).send(listLicenses, { query: {} })).status).toBe(200)
})
