import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../test/sandbox.ts'
import { newWorld } from '../../../test/world.ts'
import { syncCustomers } from './customers.sync.ts'
import { providerCustomers } from './customers.tables.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
})

test('customers are linked by verified e-mail, once; a stored link stays, and the others are named', async () => {
  await using world = await newWorld({ settings: sandbox.settings })
  const { db, cards, clock } = world.deps
  const [ada, linked, unverified] = [await world.member(), await world.member(), await world.member()]
  await world.db.execute(`update account.members set email_verified = false where id = '${unverified.id}'`)
  const create = (email: string) => sandbox.stripe.customers.create({ email })
  const older = await create(ada.email)
  const newer = await create(ada.email.toUpperCase())
  const other = await create(linked.email)
  const stranger = await create('stranger@example.test')
  const unknown = await create(unverified.email)
  await db.insert(providerCustomers).values({ memberId: linked.id, customerId: 'cus_stored', createdAt: clock() })
  const said: string[] = []
  const sync = () => syncCustomers({ db, cards, now: clock(), say: (sentence) => said.push(sentence) })

  expect(await sync()).toEqual({ linked: 1, known: 0, unmatched: 4 })
  expect(await sync()).toEqual({ linked: 0, known: 1, unmatched: 4 })
  const rows = await db.select().from(providerCustomers)
  expect(rows.map(({ memberId, customerId }) => [memberId, customerId]).sort()).toEqual(
    [
      [ada.id, newer.id],
      [linked.id, 'cus_stored'],
    ].sort(),
  )
  for (const { id } of [older, other, stranger, unknown]) expect(said.join('\n')).toContain(id)
})

test('more than a page of customers is linked', async () => {
  await using world = await newWorld({ settings: sandbox.settings })
  const { db, cards, clock } = world.deps
  for (let count = 0; count < 105; count += 1) {
    await sandbox.stripe.customers.create({ email: (await world.member()).email })
  }

  const { linked } = await syncCustomers({ db, cards, now: clock(), say: () => undefined })
  expect(linked).toBe(105)
})
