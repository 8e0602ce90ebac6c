import { answerOffered, listOffered } from '@atrium/contract/offered-subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { load } from '../../../test/import.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { meanwhile } from '../../../test/waiting.ts'
import type { TestMember } from '../../../test/world.ts'
import { unmatchedPurchases } from '../../payments/unmatched/unmatched.tables.ts'

const sandbox = await sandboxOfFile()

/** Somebody has begun a trial with a member's address, who is asked. */
async function offeredTrial() {
  const world = await typedPurchase(sandbox)
  const { stripe, buyer, caller, product } = world
  const { id: customer } = await stripe.customers.create({ email: buyer.email })
  const { id: method } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer })
  const { data } = await stripe.prices.list({ lookup_keys: [`${product.code.toLowerCase()}-monthly-usd`] })
  const items = [{ price: data[0]?.id ?? '', quantity: 3 }]
  const begun = { customer, items, default_payment_method: method, trial_period_days: 30 }
  const { id: trial } = await stripe.subscriptions.create(begun)
  await world.sync(trial)
  const offers = async () => (await caller.send(listOffered, {})).body.list
  const end = new Date(Date.now() + 30 * 86_400_000).toISOString()
  return {
    ...world,
    ...{ trial, trialCustomer: customer, offers },
    trials: async (member: TestMember) => (await world.ids(member)).filter((id) => id === trial),
    name: ({ email }: TestMember) =>
      load(world, [
        {
          ...{ type: 'subscription', subscriptionId: trial, email, productCode: product.code, status: 'trialing' },
          ...{ userCount: 3, origin: 'online', channel: 'card', autoRenewal: true, term: 'monthly' },
          ...{ periodStart: new Date().toISOString(), trialEnd: end, periodEnd: end },
        },
      ]),
  }
}

test('no file makes theirs what a member has said is not', async () => {
  await using world = await offeredTrial()
  const { buyer, caller, trial, offers } = world
  const [offer] = await offers()
  await caller.send(answerOffered, { params: { id: offer?.id ?? '' }, body: { isMine: false } })
  expect(await world.name(buyer)).toMatchObject({
    refusals: [expect.stringContaining('the member has said that it is not theirs')],
  })
  await world.sync(trial)
  expect(await world.trials(buyer)).toEqual([])

  const payer = await world.member()
  expect((await world.name(payer)).refusals).toEqual([])
  await world.sync(trial)
  expect([await world.trials(buyer), await world.trials(payer)]).toEqual([[], [trial]])
})

/** The vendor has corrected the address at the provider since they said so: it is offered to somebody else, who has not answered. */
test.each(['the address is theirs again', 'a line names them', 'a line of customers names them'] as const)(
  'what a member has said is not theirs stays so, whoever it was offered to since: %s',
  async (later) => {
    await using world = await offeredTrial()
    const { buyer, caller, trial, trialCustomer: customer, offers, stripe } = world
    const [offer] = await offers()
    await caller.send(answerOffered, { params: { id: offer?.id ?? '' }, body: { isMine: false } })
    const other = await world.member()
    await stripe.customers.update(customer, { email: other.email })
    await world.sync(trial)
    const refused = { refusals: [expect.stringContaining('that it is not theirs')] }
    if (later === 'the address is theirs again') await stripe.customers.update(customer, { email: buyer.email })
    else if (later === 'a line names them') expect(await world.name(buyer)).toMatchObject(refused)
    else {
      const line = { type: 'provider-customer', email: buyer.email, customerId: customer }
      expect((await load(world, [line])).refusals).toHaveLength(1)
    }
    await world.sync(trial)
    expect([await offers(), await world.trials(buyer)]).toEqual([[], []])
  },
)

test('nor does one that is applied at the moment in which they say so', async () => {
  await using world = await offeredTrial()
  const { buyer, caller, trial, offers } = world
  const [offer] = await offers()
  const [answered, filed] = await meanwhile(world, {
    hold: (tx) => tx.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, trial)).for('update'),
    act: () => caller.send(answerOffered, { params: { id: offer?.id ?? '' }, body: { isMine: false } }),
    next: () => world.name(buyer),
  })
  expect(answered.status).toBe(200)
  expect(filed.refusals).toEqual([expect.stringContaining('the member has said that it is not theirs')])
  await world.sync(trial)
  expect(await world.trials(buyer)).toEqual([])
})

test('what a file says is somebody’s is offered to nobody any more', async () => {
  await using world = await offeredTrial()
  const payer = await world.member()
  expect(await world.offers()).toHaveLength(1)
  await world.name(payer)
  expect(await world.offers()).toEqual([])
  await world.sync(world.trial)
  expect(await world.offers()).toEqual([])
  expect(await world.trials(payer)).toEqual([world.trial])
})
