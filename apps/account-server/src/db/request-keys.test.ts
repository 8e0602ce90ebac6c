import { expect, test } from 'vitest'
import { newWorld } from '../test/world.ts'
import { isFirstTime } from './request-keys.writes.ts'

test('two members may use the same key: each of their acts happens, once', async () => {
  await using world = await newWorld()
  const now = world.deps.clock()
  const people = [await world.member(), await world.member()].map(({ id }) => ({
    id,
    act: { key: 'same', print: `what ${id} asked` },
  }))
  const first = async () => {
    const answers = []
    for (const { act, ...member } of people) {
      answers.push(await world.db.transaction((tx) => isFirstTime(tx, member, act, now)))
    }
    return answers
  }

  expect(await first()).toEqual([true, true])
  expect(await first()).toEqual([false, false])
})

test('one key for two requests is refused', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const ask = (print: string) =>
    world.db.transaction((tx) => isFirstTime(tx, member, { key: 'same', print }, world.deps.clock()))

  expect(await ask('one')).toBe(true)
  await expect(ask('other')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
})
