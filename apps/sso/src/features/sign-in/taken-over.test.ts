import { hash as bcrypt } from 'bcrypt'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { accounts } from '../accounts/accounts.tables.ts'

/** An account as the system before had it. */
async function takenOver(world: World, passwordHash: string) {
  const user = await world.newUser()
  await world.db.update(accounts).set({ password: passwordHash }).where(eq(accounts.userId, user.id))
  return user
}

async function hashOf(world: World, userId: string) {
  const [row] = await world.db.select().from(accounts).where(eq(accounts.userId, userId))
  return row?.password
}

const signIn = (world: World, email: string, password = demoPassword) =>
  world.browser().send(wire.signIn, { body: { email, password } })

test('the first sign-in with the password of the system before replaces its hash by one of ours', async () => {
  await using world = await newWorld()
  const { id, email } = await takenOver(world, await bcrypt(demoPassword, 4))

  expect((await signIn(world, email, 'another password')).status).toBe(401)
  expect(await hashOf(world, id)).toMatch(/^\$2b\$/)

  expect((await signIn(world, email)).status).toBe(200)
  const renewed = await hashOf(world, id)
  expect(renewed).toMatch(/^\$argon2id\$/)

  expect((await signIn(world, email)).status).toBe(200)
  expect(await hashOf(world, id)).toBe(renewed)
  expect((await world.acts(id)).sort()).toEqual(['credentials.refused', 'session.started', 'session.started'])
})

test('of first sign-ins at the same time, each succeeds', async () => {
  await using world = await newWorld()
  const { id, email } = await takenOver(world, await bcrypt(demoPassword, 4))

  const replies = await Promise.all([1, 2, 3, 4].map(() => signIn(world, email)))

  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await hashOf(world, id)).toMatch(/^\$argon2id\$/)
})

test('an unknown address is compared with the hash of an account, the same one every time', async () => {
  await using world = await newWorld()
  for (let count = 0; count < 6; count += 1) await takenOver(world, await bcrypt(demoPassword, 4 + count))
  const stored = (await world.db.select().from(accounts)).map(({ password }) => password)
  const compared: (string | undefined)[] = []
  const { verifyNothing } = world.deps.hashing
  world.deps.hashing.verifyNothing = (password, somebodys) => {
    compared.push(somebodys)
    return verifyNothing(password, somebodys)
  }

  const addresses = Array.from({ length: 60 }, (_, index) => `nobody-${index}@example.test`)
  for (const email of [...addresses, ...addresses]) expect((await signIn(world, email)).status).toBe(401)

  expect(compared.slice(60)).toEqual(compared.slice(0, 60))
  const known = compared.filter((hash) => hash !== undefined)
  expect(stored).toEqual(expect.arrayContaining(known))
  // Costs differ from one account to the next, and so they do from one unknown address to the next.
  expect(new Set(known).size).toBeGreaterThan(1)
  // Even with the right password of the account whose hash it is.
  expect((await signIn(world, addresses[0] ?? '', demoPassword)).status).toBe(401)
})
