import { expect, test } from 'vitest'
import { cardsPeople } from '../../test/cards.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

const good = '4242424242424242'
const needsAuthentication = '4000002760003184'

/** A member whose card is valid through 2034, and who is signed in at `now`. */
async function memberAt(now: string) {
  const world = await cardsPeople(sandbox)
  const { member, ids } = await world.memberWithCards([good])
  world.at(new Date(now))
  return { ...world, member: { ...member, cookie: await world.session(member.id) }, ids }
}

test('a card that is added after the default has expired becomes the default', async () => {
  await using world = await memberAt('2035-01-02T00:00:00Z')
  const { member } = world
  const added = await world.typed(good, 2040)
  expect((await world.save(member, added)).status).toBe(200)

  expect((await world.list(member)).defaultPaymentID).toBe(added)
  expect(await world.actions(member)).toEqual(['card.added', 'card.added'])
})

test('so does one that its bank had to authenticate, and the answer has it', async () => {
  await using world = await memberAt('2035-01-02T00:00:00Z')
  const { member } = world
  const added = await world.typed(needsAuthentication, 2040)
  const { body } = await world.save(member, added)
  await sandbox.answerBank(body.id, 'complete')

  expect((await world.finish(member, body.id)).body.defaultPaymentID).toBe(added)
})

test('a default that is still valid stays, though it expires this month', async () => {
  await using world = await memberAt('2034-12-31T00:00:00Z')
  const { member, ids } = world
  await world.save(member, await world.typed(good, 2040))

  expect((await world.list(member)).defaultPaymentID).toBe(ids[0])
})

test('a card that has itself expired does not replace an expired default', async () => {
  await using world = await memberAt('2035-01-02T00:00:00Z')
  const { member, ids } = world
  await world.save(member, await world.typed(good, 2034))

  expect((await world.list(member)).defaultPaymentID).toBe(ids[0])
})

test('the next card that is added leaves the new default alone', async () => {
  await using world = await memberAt('2035-01-02T00:00:00Z')
  const { member } = world
  const [first, second] = [await world.typed(good, 2040), await world.typed(good, 2041)]
  await world.save(member, first)
  await world.save(member, second)

  expect((await world.list(member)).defaultPaymentID).toBe(first)
})

test('a lost answer does not lose it: the new card is the default once the outcome is known', async () => {
  await using world = await memberAt('2035-01-02T00:00:00Z')
  const { member } = world
  const { setDefaultCard } = world.deps.cards
  world.deps.cards.setDefaultCard = () => Promise.reject(new Error('killed'))
  const added = await world.typed(good, 2040)
  await world.save(member, added)
  world.deps.cards.setDefaultCard = setDefaultCard
  await world.reconcileAfter(46)

  expect((await world.list(member)).defaultPaymentID).toBe(added)
})
