import { randomUUID } from 'node:crypto'
import type { IdentifiedJob } from '@atrium/server-kit/job-sender.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members } from '../../db/members.tables.ts'
import { newSeat, newSubscription } from '../../test/factories.ts'
import { noProviders, transfersIn } from '../../test/transfers.ts'
import { newWorld, type TestMember, type WorldOptions } from '../../test/world.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { invitations } from '../team/invitations/invitations.tables.ts'
import { emailSomeOfTeam, type OwnerChangedJob, ownerChangedQueue } from './owner-changed.jobs.ts'
import { transfers } from './transfers.tables.ts'

/** A team that has changed hands, and a queue that stores each job once. */
async function transferred(options: WorldOptions = {}) {
  const world = await newWorld(options)
  const [owner, recipient] = [await world.member({ locale: 'fr-fr' }), await world.member({ firstName: 'Grace' })]
  const team = await newSubscription(world, recipient)
  const addOn = await newSubscription(world, recipient, { parentId: team.id, userCount: 1 })
  const transferId = randomUUID()
  await world.db.insert(transfers).values({
    ...{ id: transferId, memberId: owner.id, recipientId: recipient.id },
    ...{ subscriptionIds: [team.id, addOn.id], createdAt: world.deps.clock() },
  })
  const queued = new Map<string, { queue: string; data: IdentifiedJob['data'] }>()
  const jobs = {
    async sendEach(_tx: unknown, queue: string, added: readonly IdentifiedJob[]) {
      for (const { id, data } of added) queued.set(id, { queue, data: queued.get(id)?.data ?? data })
    },
  }
  const run = (job: OwnerChangedJob) => emailSomeOfTeam(world.deps, jobs, job)
  const emails = () => [...queued.values()].flatMap(({ queue, data }) => (queue === 'mail' ? [Object(data)] : []))
  return {
    ...world,
    ...{ owner, recipient, team, addOn, transferId, run, emails, deliveries: world.emails },
    emailsTo: (email: string) => emails().filter(({ to }) => to === email),
    batches: () => [...queued.values()].filter(({ queue }) => queue === ownerChangedQueue),
    seatOf: ({ id: memberId, email }: TestMember, values: object = {}) =>
      newSeat(world, team.id, { memberId, email, ...values }),
  }
}

type World = Awaited<ReturnType<typeof transferred>>

async function invited(world: World, email: string, sentAt = world.deps.clock()) {
  const seat = await newSeat(world, world.team.id, {
    ...{ status: 'Pending', memberId: null, isUse: false, email, invitedAt: sentAt },
  })
  const { id: seatId, subscriptionId } = seat
  await world.db.insert(invitations).values({
    ...{ tokenHash: randomUUID(), seatId, subscriptionId, email, invitedBy: world.owner.id, sentAt },
  })
}

test('everybody with a seat is emailed once, in their language, who the Owner is now; removed people are not', async () => {
  await using world = await transferred()
  const [colleague, admin, removed] = [
    await world.member({ locale: 'de-de' }),
    await world.member({ firstName: '', lastName: '' }),
    await world.member(),
  ]
  await world.seatOf(colleague)
  await newSeat(world, world.addOn.id, { memberId: colleague.id, email: colleague.email })
  await world.seatOf(admin, { type: 3, isUse: false })
  await world.seatOf(removed, { removedAt: new Date() })
  await world.run({ transferId: world.transferId })

  const [email, second] = world.emailsTo(colleague.email)
  expect(second).toBeUndefined()
  expect(email.subject).toMatch(/^Product \w+ und Product \w+: Der Eigentümer hat gewechselt$/)
  expect(email.text).toContain(`Grace Lindqvist (${world.recipient.email}) ist jetzt Eigentümer von`)
  expect(email.text).toContain('/de/account?tab=my-products')
  // A Setup Admin has no license, and nothing in My Products.
  const [unlicensed] = world.emailsTo(admin.email)
  expect(unlicensed.subject).toContain('the Owner has changed')
  expect(unlicensed.text).toContain('Your role stays the same.')
  expect(unlicensed.text).toContain('tab=my-subscriptions')
  for (const { email: to } of [removed, world.owner, world.recipient]) expect(world.emailsTo(to)).toEqual([])
})

test('who is invited reads that the invitation stays valid, in the language of the team; who missed it hears nothing', async () => {
  await using world = await transferred()
  const known = await world.member({ firstName: 'Noor', locale: 'nl-nl' })
  const [unknown, late] = [`${randomUUID()}@example.test`, `${randomUUID()}@example.test`]
  await invited(world, known.email)
  await invited(world, unknown)
  await invited(world, late, new Date('2026-05-20T09:30:00Z'))
  await world.run({ transferId: world.transferId })

  expect(world.emailsTo(known.email)).toMatchObject([
    { text: expect.stringContaining('Uw uitnodiging blijft geldig.') },
  ])
  const [email] = world.emailsTo(unknown)
  expect(email.text).toContain('Votre invitation reste valable.')
  expect(email.text).toContain(`Grace Lindqvist (${world.recipient.email})`)
  expect(email.text).not.toMatch(/tab=|besoin d’une licence/)
  expect(world.emailsTo(late)).toEqual([])
})

test('a large team is emailed in batches, and a repeated batch sends and adds nothing again', async () => {
  await using world = await transferred()
  for (let place = 0; place < 203; place += 1) {
    await newSeat(world, world.team.id, { memberId: null, email: `user-${place}-${world.transferId}@example.test` })
  }
  const first = { transferId: world.transferId }
  await world.run(first)
  expect(world.emails()).toHaveLength(200)
  await world.run(first)
  expect(world.emails()).toHaveLength(200)
  expect(world.batches()).toHaveLength(1)

  const [next] = world.batches()
  for (let times = 0; times < 2; times += 1) await world.run({ ...first, ...next?.data })
  expect(world.emails()).toHaveLength(203)
  expect(new Set(world.emails().map(({ to }) => to)).size).toBe(203)
  expect(world.batches()).toHaveLength(1)
})

test('who is erased is not emailed, and nobody is emailed about an erased Owner', async () => {
  await using world = await transferred()
  const [erased, colleague] = [await world.member({ erasedAt: new Date() }), await world.member()]
  for (const person of [erased, colleague]) await world.seatOf(person)
  await world.run({ transferId: world.transferId })
  expect(world.emails().map(({ to }) => to)).toEqual([colleague.email])

  await using other = await transferred()
  await other.seatOf(await other.member())
  await other.db.update(members).set({ erasedAt: new Date() }).where(eq(members.id, other.recipient.id))
  await other.run({ transferId: other.transferId })
  expect(other.emails()).toEqual([])
})

test('a team that has another Owner since is not emailed about the one before', async () => {
  await using world = await transferred()
  const colleague = await world.member()
  await world.seatOf(colleague)
  const { id: memberId } = await world.member()
  await world.db.update(subscriptions).set({ memberId }).where(eq(subscriptions.id, world.team.id))
  await world.run({ transferId: world.transferId })
  await world.run({ transferId: randomUUID() })
  expect(world.emails()).toEqual([])
})

test('a transfer leaves the team to one job, which sends the emails', async () => {
  await using world = await newWorld({ settings: noProviders })
  const [owner, recipient, colleague] = [await world.member(), await world.member(), await world.member()]
  const { id } = await newSubscription(world, owner)
  await newSeat(world, id, { memberId: colleague.id, email: colleague.email })
  const { transfer, emailsTo } = transfersIn(world)
  expect((await transfer(owner, recipient)).status).toBe(200)
  expect(emailsTo(colleague.email)).toEqual([])
  const jobs = world.sent.filter(({ queue }) => queue === ownerChangedQueue)
  expect(jobs).toEqual([{ queue: ownerChangedQueue, data: { transferId: expect.any(String) } }])

  await using working = await transferred({ work: true })
  const user = await working.member()
  await working.seatOf(user)
  const { transferId } = working
  for (let times = 0; times < 2; times += 1) {
    await working.db.transaction((tx) => working.deps.jobs.send(tx, ownerChangedQueue, { transferId }))
  }
  const toUser = () => working.deliveries.filter(({ to }) => to === user.email)
  await expect.poll(() => toUser().length).toBe(1)
  expect(toUser()[0]?.messageId).toMatch(/^<[0-9a-f-]{36}@localhost>$/)
})
