import { expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'
import { createAccount } from './accounts.writes.ts'

const password = 'Atrium-demo-1'

test('two concurrent creations of the same account create one', async () => {
  await using world = await newWorld()
  const passwordHash = await world.deps.hashing.hash(password)
  const account = { email: 'twice@example.test', firstName: 'A', lastName: 'B', locale: 'en-us', passwordHash }
  const made = await Promise.all(
    Array.from({ length: 5 }, () => world.db.transaction((tx) => createAccount(tx, world.deps.accounts, account))),
  )
  expect(made.filter((id) => id !== undefined)).toHaveLength(1)
})
