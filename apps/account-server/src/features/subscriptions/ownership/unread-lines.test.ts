import { expect, test } from 'vitest'
import { unreadPurchase } from '../../../test/filed-purchase.ts'
import { load } from '../../../test/import.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

type World = Awaited<ReturnType<typeof unreadPurchase>>

const words: Record<string, (world: World) => Promise<unknown>> = {
  'a line': (world) => world.load(world.named),
  'a line of customers': (world) =>
    load(world, [{ type: 'provider-customer', email: world.payer.email, customerId: world.customer }]),
  'link-customer': (world) => world.linkCustomer(world.payer),
  'link-customer for another one': (world) => world.linkCustomer(world.stranger),
}

test.each([
  [['a line', 'link-customer']],
  [['link-customer', 'a line']],
  [['a line', 'link-customer for another one', 'link-customer']],
  [['a line of customers', 'a line', 'link-customer']],
])('link-customer corrects what a file says of a purchase that was not read yet: %s', async (said) => {
  await using world = await unreadPurchase(sandbox, { typed: (email) => email })
  const { named, payer, read, has } = world
  for (const word of said) await words[word]?.(world)
  await read()
  expect([await has(named), await has(payer)]).toEqual([
    [0, 0],
    [1, 1],
  ])
  await world.load(named)
  await read()
  expect(await has(payer)).toEqual([1, 1])
})

test('what a file says of one purchase stays beside what it says of the customer', async () => {
  await using world = await unreadPurchase(sandbox, { typed: (email) => email })
  const { named, payer, read, has } = world
  for (const word of ['a line of customers', 'a line']) await words[word]?.(world)
  await read()
  expect([(await has(named))[0], (await has(payer))[0]]).toEqual([1, 0])
})
