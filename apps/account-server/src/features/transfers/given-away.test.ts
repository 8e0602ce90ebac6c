import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../commands/link-customer.ts'
import { newSubscription } from '../../test/factories.ts'
import { noProviders, transfersIn } from '../../test/transfers.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'

const newId = (kind: string) => `${kind}${randomUUID().slice(0, 8)}`

/** A file has named a member as the Owner of what somebody else has bought at the card provider, and that member has given it away. */
async function givenAway() {
  const world = await newWorld({ settings: noProviders })
  const { deps, db } = world
  const transfers = transfersIn(world)
  const [named, recipient, payer] = [await world.member(), await world.member(), await world.member()]
  const [customerId, providerId] = [newId('cus_'), newId('sub_')]
  const { id } = await newSubscription(world, named, { customerId, providerId, proof: 'vendor' })
  expect((await transfers.transfer(named, recipient)).status).toBe(200)
  return {
    ...world,
    ...transfers,
    ...{ id, named, recipient, payer, customerId, providerId },
    /** @returns what `members -- link-customer` prints, and its exit code */
    async link({ email }: TestMember, ...options: string[]) {
      const lines: string[] = []
      const run = linkCustomerCommand((_db, run) => run(deps.jobs)).prepare([email, customerId, ...options])
      const code = await run?.(db, (line) => lines.push(line), { ...world.config, now: deps.clock() })
      return { code, lines }
    },
  }
}

test('link-customer names what of the customer was transferred and who has it, and does not promise it', async () => {
  await using world = await givenAway()
  const { id, recipient, payer, customerId, providerId, db } = world
  const named = [
    `${customerId} is ${payer.email} (member ${payer.id}).`,
    `${providerId} was transferred, and stands for nothing here any more: member ${recipient.id} has its subscription.`,
    expect.stringMatching(/^What was transferred stays with who has it\. To take it back, end it at once/),
  ]
  expect(await world.link(payer, '--dry-run')).toEqual({
    code: 0,
    lines: [...named, 'This was a dry run: nothing was changed.'],
  })
  expect(await world.link(payer)).toEqual({
    code: 0,
    lines: [...named, expect.stringMatching(/^Done\. .* brings what else was bought there\.$/)],
  })
  expect(await world.stored(id)).toMatchObject({ memberId: recipient.id })
  const isCustomer = eq(providerCustomers.customerId, customerId)
  expect(await db.select().from(providerCustomers).where(isCustomer)).toMatchObject([{ memberId: payer.id }])
})

test('what was transferred to whom the customer is linked to is not named', async () => {
  await using world = await givenAway()
  const { recipient, customerId } = world
  expect(await world.link(recipient)).toEqual({
    code: 0,
    lines: [
      `${customerId} is ${recipient.email} (member ${recipient.id}).`,
      expect.stringMatching(/^Done\. .* brings what was bought there\.$/),
    ],
  })
})
