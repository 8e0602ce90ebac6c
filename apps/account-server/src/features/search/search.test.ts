import { randomUUID } from 'node:crypto'
import { searchAccount } from '@atrium/contract/search.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  heldKey,
  newEmailDevice,
  newKeyDevice,
  newLicense,
  newProduct,
  newSeat,
  newSubscription,
} from '../../test/factories.ts'
import { supportIn } from '../../test/support.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { offlineOrders, orders } from '../orders/orders.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

async function search(world: World, member: TestMember, keyWord: string) {
  const { status, body } = await world.as(member).send(searchAccount, { query: { keyWord } })
  expect(status).toBe(200)
  return [...body.orders, ...body.subscriptions, ...body.licenses, ...body.devices, ...body.users]
}

const idsOf = (list: Awaited<ReturnType<typeof search>>) => list.map(({ kind, id }) => `${kind} ${id}`)

/** A customer with one thing in each list, each of the same product, and `mark` in what each is known by. */
async function customer(world: World, mark: string) {
  const member = await world.member()
  const { code, sku } = await newProduct(world, { name: `Folio ${mark}` })
  const facts = { memberId: member.id, amount: 100, currency: 'USD', date: world.deps.clock() } as const
  const line = { text: `Folio ${mark}`, productCode: code, amount: 100 }
  const paid = { invoiceNumber: `INV-${mark}`, status: 'CO', origin: 'imported', invoiceUrl: '' } as const
  await world.db.insert(orders).values({ ...facts, ...paid, orderNumber: `FO-${mark}`, lines: [line] })
  await world.db.insert(offlineOrders).values({ ...facts, orderNumber: `NS-${mark}`, lines: [`Folio ${mark}`] })
  const { ownerSeat } = await newSubscription(world, member, { id: `sub-${mark}`, productCode: code })
  await newEmailDevice(world, ownerSeat.id, { hostName: `LAPTOP-${mark}` })
  const { key } = await heldKey(world, member, { license: { id: `L-${mark}`, productCode: code } })
  await newKeyDevice(world, key.id, { pcName: `PC-${mark}`, macAddress: '02:42:AC:11:00:07' })
  return { member, sku, key }
}

test('one search finds orders, subscriptions, licenses and devices by number, name or id', async () => {
  await using world = await newWorld()
  const { member, sku, key } = await customer(world, 'Ümlaut_1')

  const list = await search(world, member, 'üMLAUT_1')
  expect(idsOf(list).toSorted()).toEqual([
    'email_device LAPTOP-Ümlaut_1',
    'key_device PC-Ümlaut_1',
    'license L-Ümlaut_1',
    'offline_order NS-Ümlaut_1',
    'order FO-Ümlaut_1',
    'subscription sub-Ümlaut_1',
  ])
  expect(list.find(({ kind }) => kind === 'license')).toMatchObject({ name: 'Folio Ümlaut_1', place: sku })
  expect(list.find(({ kind }) => kind === 'key_device')).toMatchObject({ name: 'Folio Ümlaut_1', place: key.id })

  expect(idsOf(await search(world, member, '0242ac110007'))).toEqual(['key_device PC-Ümlaut_1'])
  expect(idsOf(await search(world, member, 'NS-'))).toEqual(['offline_order NS-Ümlaut_1'])
  // Between words may be anything.
  expect(idsOf(await search(world, member, 'laptop ümlaut 1'))).toEqual(['email_device LAPTOP-Ümlaut_1'])
  expect(await search(world, member, 'ümlaut laptop')).toEqual([])
  // Wildcards of the database are letters like any other.
  expect(await search(world, member, '%%')).toEqual([])
})

test('a billed order is named without the time it is for, which is in the language of the order', async () => {
  await using world = await newWorld()
  const { member } = await customer(world, 'billed')
  const [from, to] = ['2029-11-22T00:00:00.000Z', '2029-12-22T00:00:00.000Z']
  const facts = { kind: 'period', product: 'Folio billed', quantity: 3, from, to } as const
  const text = 'Folio billed × 3, Nov 22, 2029 – Dec 22, 2029'
  await world.db
    .update(orders)
    .set({ lines: [{ text, facts, productCode: '', amount: 100 }] })
    .where(eq(orders.memberId, member.id))

  expect(await search(world, member, 'FO-billed')).toMatchObject([{ name: 'Folio billed × 3' }])
})

test('a key is not found by its characters, and the newest five of a group are enough', async () => {
  await using world = await newWorld()
  const { member, key } = await customer(world, 'many')
  expect(await search(world, member, key.key)).toEqual([])
  expect(await search(world, member, key.key.slice(-5))).toEqual([])

  for (let day = 1; day <= 7; day += 1)
    await newKeyDevice(world, key.id, { pcName: `PC-many-${day}`, requestedAt: new Date(Date.UTC(2030, 0, day)) })
  const devices = (await search(world, member, 'PC-many')).map(({ id }) => id)
  expect(devices).toEqual([7, 6, 5, 4, 3].map((day) => `PC-many-${day}`))
})

test('what belongs to another customer is not found; a colleague finds what they have a seat in', async () => {
  await using world = await newWorld()
  const { member: owner } = await customer(world, 'theirs')
  const [stranger, colleague] = [await world.member(), await world.member()]
  await newSeat(world, 'sub-theirs', { memberId: colleague.id, email: colleague.email })
  await newLicense(world)

  expect(await search(world, stranger, 'theirs')).toEqual([])
  expect(idsOf(await search(world, colleague, 'theirs'))).toEqual(['subscription sub-theirs'])
  expect(await search(world, owner, 'theirs')).toHaveLength(6)
})

test('users are found by whoever manages them: by the Owner and a Setup Admin, never by a Member, and nobody finds themselves', async () => {
  await using world = await newWorld()
  const [owner, setup, stranger] = [await world.member(), await world.member(), await world.member()]
  const { id } = await newSubscription(world, owner)
  const { id: other } = await newSubscription(world, owner)
  const mark = randomUUID()
  const colleague = await world.member({ email: `pia-${mark}@folio.test` })
  const seat = { memberId: colleague.id, email: colleague.email }
  await newSeat(world, id, seat)
  await newSeat(world, other, { email: `invited-${mark}@folio.test`, status: 'Pending' })
  await newSeat(world, other, { ...seat, removedAt: world.deps.clock() })
  await newSeat(world, id, { memberId: setup.id, email: setup.email, type: seatTypes.setupAdmin, isUse: false })

  const found = async (who: TestMember) =>
    (await search(world, who, mark)).map(({ id: email, place }) => [email, place])
  expect((await found(owner)).toSorted()).toEqual([
    [`invited-${mark}@folio.test`, other],
    [colleague.email, id],
  ])
  expect(await found(setup)).toEqual([[colleague.email, id]])
  const [plain, admin] = [await world.member(), await world.member()]
  await newSeat(world, id, { memberId: plain.id, email: plain.email })
  await newSeat(world, id, { memberId: admin.id, email: admin.email, type: seatTypes.admin })
  expect(await found(admin)).toEqual([[colleague.email, id]])
  for (const who of [colleague, plain, stranger]) expect(await found(who)).toEqual([])
})

test('a support agent finds the users of a team in its Owner’s account, and in no other’s', async () => {
  await using world = await newWorld()
  const [owner, setup] = [await world.member(), await world.member()]
  const { id } = await newSubscription(world, owner)
  await newSeat(world, id, { email: 'pia@folio.test' })
  await newSeat(world, id, { memberId: setup.id, email: setup.email, type: seatTypes.setupAdmin, isUse: false })
  const found = async (member: TestMember) => {
    const headers = { cookie: await supportIn(world, member) }
    const reply = await world.request({ method: 'GET', url: '/support/account/search/?keyWord=pia@', headers })
    return searchAccount.reply.parse(reply.json()).users.map(({ id: email }) => email)
  }
  expect([await found(owner), await found(setup)]).toEqual([['pia@folio.test'], []])
})

test('a search needs two characters', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { status } = await world.as(member).send(searchAccount, { query: { keyWord: ' a ' } })
  expect(status).toBe(422)
})
