import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInside } from '@atrium/server-kit/test-command.ts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { businessClock } from '../db/business-clock.tables.ts'
import { members } from '../db/members.tables.ts'
import { providerCustomers } from '../features/payments/customers/customers.tables.ts'
import { providerOperations } from '../features/payments/operations/operations.tables.ts'
import { newSubscription } from '../test/factories.ts'
import { memberWithEverything } from '../test/personal-data.ts'
import { newWorld } from '../test/world.ts'
import { membersCommand } from './members.command.ts'

const secret = { ERASURE_SECRET: 'a secret of at least 32 characters' }

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-export-'))
})
afterAll(() => rm(folder, { recursive: true }))

type World = Awaited<ReturnType<typeof newWorld>>

async function run({ config }: World, parameters: string[], settings: NodeJS.ProcessEnv = secret) {
  const env = { DATABASE_URL: config.DATABASE_URL, ...settings }
  const { code, stdout, stderr } = await runInside(membersCommand, parameters, env)
  return { code, said: stdout.trim().split('\n'), complained: stderr }
}

test('npm run members -- erase says what it did, and the second time that there is nobody', async () => {
  await using world = await newWorld()
  const { member, email } = await memberWithEverything(world)
  await world.db
    .insert(providerCustomers)
    .values({ proof: 'ours', isMain: true, memberId: member.id, customerId: 'cus_e', createdAt: new Date() })

  const dry = await run(world, ['erase', email, '--dry-run'])
  expect([dry.code, dry.said.at(-1)]).toEqual([0, 'This was a dry run: nothing was changed.'])
  expect(await world.db.$count(members, eq(members.email, email))).toBe(1)

  const done = await run(world, ['erase', ` ${email.toUpperCase()}`])
  expect(done).toMatchObject({ code: 0, complained: '' })
  expect(done.said).toEqual([
    expect.stringMatching(`^Member ${member.id}\\. Erased or replaced: .*profile \\(1\\)`),
    'The running account-server deletes the customer cus_e at the card provider.',
    'Done.',
  ])
  const isDeletion = eq(providerOperations.kind, 'customer.delete')
  const [operation] = await world.db.select().from(providerOperations).where(isDeletion)
  expect(operation).toMatchObject({ status: 'pending', input: { customerId: 'cus_e' }, calledAt: null })

  const again = await run(world, ['erase', email])
  expect([again.code, again.said]).toEqual([0, [`Nobody has the address ${email}. Nothing was changed.`]])
})

test('what stands in the way is printed with a way out, and nothing is changed', async () => {
  await using world = await newWorld()
  const { member, email } = await memberWithEverything(world)
  const { id } = await newSubscription(world, member)

  const { code, said } = await run(world, ['erase', email])

  expect(code).toBe(1)
  expect(said).toEqual([
    'Nothing was changed:',
    expect.stringMatching(`^Subscription ${id} .* still runs: cancel or transfer it, and wait for its end\\.$`),
  ])
  expect(await world.db.$count(members, eq(members.email, email))).toBe(1)
})

test('without its secret, or under another one, nobody is erased', async () => {
  await using world = await newWorld()
  const [one, other] = [await memberWithEverything(world), await memberWithEverything(world)]
  expect(await run(world, ['erase', one.email], {})).toMatchObject({
    code: 2,
    complained: expect.stringContaining('ERASURE_SECRET is not set'),
  })
  await run(world, ['erase', one.email])
  const wrong = await run(world, ['erase', other.email], { ERASURE_SECRET: 'another secret of 32 characters or so' })
  expect(wrong).toMatchObject({ code: 2, complained: expect.stringContaining('is not the one') })
  expect(await world.db.$count(members, eq(members.email, other.email))).toBe(1)
})

test('npm run members -- export writes JSON and the invoices to a folder', async () => {
  await using world = await newWorld()
  const { email, orderNumber } = await memberWithEverything(world)
  const to = join(folder, 'ada')

  expect(await run(world, ['export', email, '--to', to])).toEqual({
    code: 0,
    complained: '',
    said: [`Written to ${to}: account.json and 1 invoices.`],
  })
  const written = JSON.parse(await readFile(join(to, 'account.json'), 'utf8'))
  expect(written).toMatchObject({ profile: [{ email }], invoices: [{ file: `invoices/${orderNumber}-invoice.pdf` }] })
  expect(await readFile(join(to, written.invoices[0].file), 'utf8')).toBe('%PDF')
})

test('a folder that cannot be written, or none, is a sentence', async () => {
  await using world = await newWorld()
  const { email } = await memberWithEverything(world)
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  expect(await run(world, ['export', email, '--to', file])).toMatchObject({
    code: 2,
    complained: expect.stringContaining('The export cannot be written'),
  })
  expect(await run(world, ['export', email])).toMatchObject({ code: 2, complained: expect.stringContaining('Usage:') })
})

test('what has ended by a clock that a trial has moved does not run any more', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const year = 366 * 86_400_000
  const ends = new Date(Date.now() + year)
  await newSubscription(world, member, { origin: 'offline', channel: 'invoice', autoRenew: false, periodEnd: ends })
  await world.db.insert(businessClock).values({ milliseconds: 2 * year })
  const erase = (settings: NodeJS.ProcessEnv) =>
    run(world, ['erase', member.email, '--dry-run'], { ...secret, ...settings })
  expect(await erase({})).toMatchObject({ code: 1, said: expect.arrayContaining([expect.stringContaining('runs')]) })
  expect(await erase({ BUSINESS_CLOCK: 'movable' })).toMatchObject({ code: 0 })
  await world.db.delete(businessClock)
})
