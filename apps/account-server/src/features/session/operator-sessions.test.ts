import { expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'
import { endSessionsByOperator, openSessionsOfAddress } from './operator-sessions.service.ts'
import { sessions } from './session.tables.ts'

test('an operator sees and ends the sessions of the members with an address, and of nobody else', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  for (const { id } of [member, member, other]) await world.session(id)
  const open = ({ email }: typeof member) => openSessionsOfAddress(world.db, email)
  const [before] = await open(other)
  expect((await open(member))[0]?.sessions).toBeGreaterThanOrEqual(2)

  const ended = await endSessionsByOperator(world.db, member.email, world.deps.clock())
  expect(ended.map(({ memberId }) => memberId)).toEqual([member.id])
  expect(await open(member)).toEqual([{ memberId: member.id, sessions: 0 }])
  expect(await open(other)).toEqual([before])
  expect(await world.db.$count(sessions)).toBe(before?.sessions)
})
