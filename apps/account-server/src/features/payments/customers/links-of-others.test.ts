import { randomUUID } from 'node:crypto'
import type { Tx } from '@atrium/server-kit/database.ts'
import { expect, test } from 'vitest'
import { newWorld, type TestMember } from '../../../test/world.ts'
import { customersOfMember } from './customers.queries.ts'
import { chooseMain, linkCustomers, makeMain, unlinkCustomers } from './customers.writes.ts'
import type { LinkProof } from './link-proofs.rules.ts'
import { raiseSameCards } from './same-cards.ts'

async function linkedWorld() {
  const world = await newWorld()
  const write = <Result>(run: (tx: Tx) => Promise<Result>) => world.db.transaction(run)
  const newId = () => `cus_${randomUUID()}`
  return {
    ...world,
    write,
    async link(member: TestMember, proof: LinkProof, customerId = newId()) {
      await write((tx) => linkCustomers(tx, [{ customerId, memberId: member.id, proof }], world.deps.clock()))
      return customerId
    },
    of: async (member: TestMember) =>
      (await customersOfMember(world.db, member)).map(({ customerId, proof, isMain }) => ({
        customerId,
        proof,
        isMain,
      })),
  }
}

test('a proof of one member raises no link of another, and the first proven customer becomes the main one', async () => {
  await using world = await linkedWorld()
  const [ada, grace] = [await world.member(), await world.member()]
  const customerId = await world.link(ada, 'address')
  await world.link(grace, 'vendor', customerId)
  expect(await world.of(ada)).toEqual([{ customerId, proof: 'address', isMain: false }])
  expect(await world.of(grace)).toEqual([])

  await world.link(ada, 'vendor', customerId)
  expect(await world.of(ada)).toEqual([{ customerId, proof: 'vendor', isMain: true }])
})

test('which of one member’s customers is the main one changes nothing of another’s', async () => {
  await using world = await linkedWorld()
  const [ada, grace] = [await world.member(), await world.member()]
  const [older, newer] = [await world.link(ada, 'vendor'), await world.link(ada, 'vendor')]
  const hers = await world.link(grace, 'vendor')
  const mainOf = async (member: TestMember) => (await world.of(member)).find(({ isMain }) => isMain)?.customerId

  await world.write((tx) => makeMain(tx, { customerId: newer, memberId: ada.id }, { replaces: true }))
  expect([await mainOf(ada), await mainOf(grace)]).toEqual([newer, hers])

  await world.write((tx) => unlinkCustomers(tx, [hers]))
  const next = await world.link(grace, 'address')
  await world.write((tx) => makeMain(tx, { customerId: older, memberId: grace.id }, { replaces: true }))
  await world.write((tx) => chooseMain(tx, grace.id))
  expect([await mainOf(ada), await mainOf(grace)]).toEqual([newer, undefined])

  await world.write((tx) => unlinkCustomers(tx, [next, newer]))
  await world.link(grace, 'vendor')
  await world.write((tx) => chooseMain(tx, ada.id))
  expect(await mainOf(ada)).toBe(older)
})

test('the same card raises the links of the member alone who is asked about', async () => {
  await using world = await linkedWorld()
  const [ada, grace] = [await world.member(), await world.member()]
  for (const member of [ada, grace]) {
    await world.link(member, 'vendor')
    await world.link(member, 'address')
  }
  const same = { paymentMethodId: 'pm_same', fingerprint: 'same' }
  const cards = { fingerprintsOf: async () => [same], firstPayingCard: async () => same }
  const proofsOf = async (member: TestMember) => (await world.of(member)).map(({ proof }) => proof).sort()

  expect(await raiseSameCards({ db: world.db, cards, now: world.deps.clock() }, { memberId: ada.id })).toBe(1)
  expect(await proofsOf(ada)).toEqual(['ours', 'vendor'])
  expect(await proofsOf(grace)).toEqual(['address', 'vendor'])
})
