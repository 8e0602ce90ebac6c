import { expect, test } from 'vitest'
import { newWorld } from '../test/world.ts'
import { claimKey } from './idempotency-keys.writes.ts'

const known = { isNew: false, operationId: null }

test('two members may use the same key, and each request takes effect once', async () => {
  await using world = await newWorld()
  const now = world.deps.clock()
  const people = [await world.member(), await world.member()].map(({ id }) => ({
    id,
    idempotencyKey: { key: 'same', fingerprint: `what ${id} asked` },
  }))
  const first = async () => {
    const answers = []
    for (const { idempotencyKey, ...member } of people) {
      answers.push(await world.db.transaction((tx) => claimKey(tx, member, { idempotencyKey, now })))
    }
    return answers
  }

  expect(await first()).toEqual([{ isNew: true }, { isNew: true }])
  expect(await first()).toEqual([known, known])
})

test('one key for two requests is refused', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const ask = (fingerprint: string) =>
    world.db.transaction((tx) =>
      claimKey(tx, member, { idempotencyKey: { key: 'same', fingerprint }, now: world.deps.clock() }),
    )

  expect(await ask('one')).toEqual({ isNew: true })
  await expect(ask('other')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
})
