import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { SsoSettings } from './config.ts'
import { verifications } from './features/accounts/accounts.tables.ts'
import { activity } from './features/activity/activity.tables.ts'
import { cloudTicketRequests } from './features/cloud-tickets/cloud-tickets.tables.ts'
import { answeredResets } from './features/password/password.tables.ts'
import { emailCodes } from './features/popups/popups.tables.ts'
import { providerFlows } from './features/providers/providers.tables.ts'
import { retention } from './retention.ts'
import { newWorld, type World } from './test/world.ts'

const daysAgo = (world: World, days: number) => new Date(world.deps.clock().getTime() - days * 86_400_000)

function run(world: World, job: string): Promise<void> {
  const found = retention(world.deps).find((entry) => entry.job === job)
  if (!found) throw new Error(`no job ${job}`)
  return found.run()
}

test('the operator’s manual lists every job and every setting', async () => {
  await using world = await newWorld()
  const manual = await readFile(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
  for (const { job, settings } of retention(world.deps)) {
    for (const name of [job, ...settings]) expect(manual).toContain(`\`${name}\``)
  }
})

test('every retention has a job of its own, and settings that exist', async () => {
  await using world = await newWorld()
  const all = retention(world.deps)
  expect(new Set(all.map(({ job }) => job)).size).toBe(all.length)
  for (const name of all.flatMap(({ settings }) => settings)) expect(Object.keys(SsoSettings.shape)).toContain(name)
})

test('activity is deleted after three years, its address after ninety days', async () => {
  await using world = await newWorld()
  const userId = randomUUID()
  const row = { userId, action: 'session.started', address: '192.0.2.1' }
  await world.db.insert(activity).values([1, 89, 91, 1096].map((days) => ({ ...row, at: daysAgo(world, days) })))

  await run(world, 'activity-addresses.blank')
  await run(world, 'activity.purge')

  const left = await world.db.select().from(activity).where(eq(activity.userId, userId)).orderBy(activity.id)
  expect(left.map(({ address }) => address)).toEqual(['192.0.2.1', '192.0.2.1', null])
})

test('expired links and codes are deleted, and valid ones stay', async () => {
  await using world = await newWorld()
  const [one, two] = [await world.newUser(), await world.newUser()]
  const at = (days: number) => daysAgo(world, days)
  const name = randomUUID()
  const link = { value: one.id, createdAt: at(1), updatedAt: at(1) }
  await world.db.insert(verifications).values([
    { ...link, id: `${name}-old`, identifier: `${name}-old`, expiresAt: at(1) },
    { ...link, id: `${name}-new`, identifier: `${name}-new`, expiresAt: at(-1) },
  ])
  await world.db.insert(answeredResets).values([
    { jobId: `${name}-old`, answeredAt: at(8) },
    { jobId: `${name}-new`, answeredAt: at(6) },
  ])
  const code = { hash: 'hash', triesLeft: 5, sentAt: at(1) }
  await world.db.insert(emailCodes).values([
    { ...code, userId: one.id, expiresAt: at(1) },
    { ...code, userId: two.id, expiresAt: at(-1) },
  ])

  await run(world, 'password-sweep')

  const links = await world.db
    .select({ id: verifications.id })
    .from(verifications)
    .where(like(verifications.id, `${name}%`))
  expect(links).toEqual([{ id: `${name}-new` }])
  const resets = await world.db
    .select({ id: answeredResets.jobId })
    .from(answeredResets)
    .where(like(answeredResets.jobId, `${name}%`))
  expect(resets).toEqual([{ id: `${name}-new` }])
  expect(await world.db.select({ userId: emailCodes.userId }).from(emailCodes)).toEqual([{ userId: two.id }])
})

test('a request for a cloud ticket is remembered until it expires', async () => {
  await using world = await newWorld()
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  await world.db.insert(cloudTicketRequests).values([
    { tokenId: 'expired', expiresAt: at(-1) },
    { tokenId: 'fresh', expiresAt: at(1) },
  ])
  await run(world, 'ticket-sweep')
  const left = await world.db.select({ tokenId: cloudTicketRequests.tokenId }).from(cloudTicketRequests)
  expect(left).toEqual([{ tokenId: 'fresh' }])
})

test('abandoned sign-ins at providers are deleted when they end, and those under way stay', async () => {
  await using world = await newWorld()
  const flow = (stateHash: string, expiresAt: Date) => ({
    stateHash,
    browserHash: 'b',
    provider: 'google' as const,
    nonce: 'n',
    sealedVerifier: 'v',
    method: 'GET' as const,
    locale: 'en-us',
    expiresAt,
  })
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  await world.db.insert(providerFlows).values([flow('ended', at(-1)), flow('under-way', at(5))])
  await run(world, 'provider-sweep')
  const left = await world.db.select({ stateHash: providerFlows.stateHash }).from(providerFlows)
  expect(left).toEqual([{ stateHash: 'under-way' }])
})
