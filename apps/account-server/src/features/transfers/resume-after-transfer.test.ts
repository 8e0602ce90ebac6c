import { subscriptionCancel, subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import { listMyProducts } from '@atrium/contract/products.ts'
import { expect, test, vi } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { cardTransfer } from '../../test/card-transfer.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import type { TestMember } from '../../test/world.ts'
import { transfers } from './transfers.tables.ts'

const sandbox = await sandboxOfFile()

/** What somebody without a card has received. */
async function received(options: { hasOwnCatalog?: boolean } = {}) {
  const world = await cardTransfer(sandbox, { hasCard: false, ...options })
  const id = await world.buy()
  if ((await world.transfer()).status !== 200) throw new Error('it was not transferred')
  const { cancelAt: end } = await world.stored(id)
  if (!end) throw new Error('it has no end')
  const asRecipient = async (member: TestMember = world.recipient) =>
    world.as({ cookie: await world.session(member.id) })
  return {
    ...world,
    ...{ id, end },
    resume: async (sid = id, member?: TestMember) =>
      (await asRecipient(member)).send(subscriptionRenew, { body: { sid } }),
    cancel: async () => (await asRecipient()).send(subscriptionCancel, { body: { sid: id, reasons: [1] } }),
    async product() {
      const { body } = await (await asRecipient()).send(listMyProducts, {
        query: { subscriptionType: '0', lang: 'en-us' },
      })
      return body.list.flatMap(({ subInfo }) => subInfo)[0]
    },
  }
}

type World = Awaited<ReturnType<typeof received>>

/** One new subscription begins at the old end, and nobody has paid for that. */
async function expectGoesOn(world: World) {
  const begun = await world.begun()
  expect(begun).toMatchObject([{ status: 'active', billing_cycle_anchor: world.end.getTime() / 1000, cancel_at: null }])
  expect(begun[0]?.items.data.map(({ quantity }) => quantity)).toEqual([3])
  const facts = { memberId: world.recipient.id, providerId: begun[0]?.id, status: 'active', autoRenew: true }
  expect(await world.stored(world.id)).toMatchObject({ ...facts, cancelAt: null, endedAt: null, periodEnd: world.end })
  expect(await world.charged()).toBe(1)
}

test('with a card it is resumed: another subscription begins at the end of what is paid', async () => {
  await using world = await received()
  expect(await world.product()).toMatchObject({ showTimeType: 'expire_on', showButtonType: 'renew' })
  expect(await world.resume()).toMatchObject({ status: 409, body: { code: 'card_required' } })
  expect(await world.begun()).toEqual([])

  await world.addCard()
  expect(await world.resume()).toMatchObject({ status: 200, body: { autoRenewal: 1, nextPlanPeriodStart: '' } })
  await expectGoesOn(world)
  expect(await world.product()).toMatchObject({ showTimeType: 'renew_date', showTime: world.end.toISOString() })
  const last = world.emailsTo(world.recipient.email).at(-1)
  expect(last.subject).toMatch(/^Automatic renewal of .* is on again$/)
  expect(last.text).toContain('$30.00')
  expect((await world.actions(world.recipient)).at(-1)).toBe('subscription.changed')
})

test('resumed, canceled and resumed again, each twice: it stays one subscription', async () => {
  await using world = await received()
  await world.addCard()
  for (const wanted of [1, 0, 1]) {
    const change = wanted === 1 ? world.resume : world.cancel
    for (let times = 0; times < 2; times += 1) {
      expect(await change()).toMatchObject({ status: 200, body: { autoRenewal: wanted } })
    }
  }
  await expectGoesOn(world)
})

test('two tabs that resume at once begin one', async () => {
  await using world = await received()
  await world.addCard()
  const answers = await Promise.all([world.resume(), world.resume(), world.resume()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  await expectGoesOn(world)
})

test('a lost answer: it began once, can neither be canceled nor transferred meanwhile, and is found', async () => {
  await using world = await received()
  await world.addCard()
  const { cards } = world.deps
  const { continueSubscription } = cards
  vi.spyOn(cards, 'continueSubscription').mockImplementationOnce(async (asked) => {
    await continueSubscription(asked)
    throw new ProviderFailure('unknown', new Error('the answer is lost'))
  })
  const isAway = vi.spyOn(cards, 'findContinued')
  isAway.mockRejectedValue(new ProviderFailure('unavailable', new Error('away')))
  expect((await world.resume()).status).toBe(502)
  expect(await world.cancel()).toMatchObject({ status: 409, body: { code: 'subscription_change_pending' } })
  await world.db.delete(transfers)
  expect((await world.check(world.recipient)).obstacle).toBe('change_pending')
  isAway.mockRestore()
  await world.reconcileAfter(60)
  await expectGoesOn(world)
  expect((await world.cancel()).status).toBe(200)
})

test('what the provider sells no more is refused in words, and nothing begins', async () => {
  await using world = await received({ hasOwnCatalog: true })
  await world.addCard()
  const [item] = (await world.stored(world.id)).providerItems
  await sandbox.stripe.prices.update(item?.priceId ?? '', { active: false })
  expect(await world.resume()).toMatchObject({ status: 409, body: { code: 'not_resumable' } })
  expect(await world.begun()).toEqual([])
  expect(await world.stored(world.id)).toMatchObject({ autoRenew: false, cancelAt: world.end })
})

test('an add-on that moved with it is resumed with it, and can be alone', async () => {
  await using world = await cardTransfer(sandbox, { hasCard: false })
  const id = await world.buy()
  const addOn = await world.buy({ quantity: 1, metadata: { parent: id } })
  const own = await world.buy({ quantity: 2 })
  expect((await world.transfer()).status).toBe(200)
  await world.addCard()
  const resume = async (sid: string) =>
    world.as({ cookie: await world.session(world.recipient.id) }).send(subscriptionRenew, { body: { sid } })
  expect((await resume(id)).status).toBe(200)
  const renewing = async () => Promise.all([id, addOn, own].map(async (one) => (await world.stored(one)).autoRenew))
  expect(await renewing()).toEqual([true, true, false])
  expect((await world.stored(addOn)).parentId).toBe(id)
  expect((await resume(own)).status).toBe(200)
  expect(await renewing()).toEqual([true, true, true])
  expect((await world.begun()).map(({ items }) => items.data[0]?.quantity).sort()).toEqual([1, 2, 3])
})

test('transferred on without being resumed, it is the third person’s to resume, and nobody else’s', async () => {
  await using world = await received()
  const { recipient, id } = world
  const third = await world.member()
  await world.db.update(transfers).set({ createdAt: new Date(0) })
  expect((await world.transferBetween(recipient, third)).status).toBe(200)
  await world.addCard()
  expect((await world.resume()).status).toBe(404)
  expect(await world.resume(id, third)).toMatchObject({ status: 409, body: { code: 'card_required' } })
  await world.giveCard(third)
  expect((await world.resume(id, third)).status).toBe(200)
  expect(await world.stored(id)).toMatchObject({ memberId: third.id, autoRenew: true, periodEnd: world.end })
  expect(await world.begun()).toEqual([])
})

test('a card that is added before the codes are used pays for what goes on, as the email said', async () => {
  await using world = await cardTransfer(sandbox, { hasCard: false })
  const id = await world.buy()
  const codes = await world.codesFor(world.buyer, world.recipient)
  await world.addCard()
  const answer = await world.use(world.buyer, world.recipient.email, codes)
  expect(answer).toMatchObject({ status: 200, body: { moved: [{ stripeSubscriptionId: id, fate: 'goes_on' }] } })
  expect(await world.stored(id)).toMatchObject({ autoRenew: true, cancelAt: null, memberId: world.recipient.id })
  expect(await world.begun()).toHaveLength(1)
  expect(world.emailsTo(world.recipient.email)[1].text).toContain('will be charged to Mastercard ••••\u00a04444.')
})

test('what was received as a trial stays one: resumed it is paid from its end, and otherwise ends there', async () => {
  await using world = await cardTransfer(sandbox, { hasCard: false })
  const [id, other] = [await world.buy({ trial_period_days: 14 }), await world.buy({ trial_period_days: 14 })]
  expect((await world.transfer()).status).toBe(200)
  const { trialEnd, cancelAt } = await world.stored(id)
  expect([trialEnd, await world.stored(id)]).toMatchObject([cancelAt, { status: 'trialing', endedAt: null }])
  await world.addCard()
  const cookie = await world.session(world.recipient.id)
  const resumed = await world.as({ cookie }).send(subscriptionRenew, { body: { sid: id } })
  expect(resumed).toMatchObject({ status: 200, body: { stripeSubscriptionStatus: 'trialing', autoRenewal: 1 } })
  expect(await world.stored(id)).toMatchObject({ status: 'trialing', trialEnd, cancelAt: null })
  expect(await world.charged()).toBe(0)

  const { trialEnd: othersEnd } = await world.stored(other)
  world.at(new Date((othersEnd?.getTime() ?? 0) + 60_000))
  await world.endDue()
  expect(await world.stored(other)).toMatchObject({ status: 'canceled', endedAt: othersEnd })
  expect(await world.stored(id)).toMatchObject({ status: 'trialing', autoRenew: true })
})

// Last in this file: it moves the provider's clock.
test('resumed in its last minutes, it is charged an hour later; after the end it cannot be', async () => {
  await using world = await received()
  const other = await received()
  await world.addCard()
  await other.addCard()
  const minutes = 5
  const seconds = Math.floor((world.end.getTime() - Date.now()) / 1000) - minutes * 60
  const reply = await fetch(`${sandbox.url}/clock/control/advance/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seconds }),
  })
  expect(reply.status).toBe(200)
  world.at(new Date(world.end.getTime() - minutes * 60_000))
  expect((await world.resume()).status).toBe(200)
  const [begun] = await world.begun()
  expect(begun?.billing_cycle_anchor).toBe(world.end.getTime() / 1000 + 3600 - minutes * 60)
  expect(await world.stored(world.id)).toMatchObject({ status: 'active', autoRenew: true, cancelAt: null })

  other.at(new Date(other.end.getTime() + 1000))
  expect(await other.resume()).toMatchObject({ status: 409, body: { code: 'not_resumable' } })
  await other.endDue()
  expect(await other.stored(other.id)).toMatchObject({ status: 'canceled', endedAt: other.end })
  await other[Symbol.asyncDispose]()
})

test('what was taxed goes on with the tax of the card’s address, where there is no billing address', async () => {
  await using world = await cardTransfer(sandbox)
  const { stripe } = sandbox
  await stripe.customers.update(world.customerId, { address: { country: 'DE', postal_code: '10115' } })
  const id = await world.buy({ automatic_tax: { enabled: true } })
  const [card] = (await stripe.paymentMethods.list({ customer: world.recipientCustomerId, type: 'card' })).data
  await stripe.paymentMethods.update(card?.id ?? '', {
    billing_details: { name: 'Grace Hopper', address: { country: 'FR', postal_code: '75001' } },
  })

  expect((await world.transfer()).status).toBe(200)

  expect(await world.begun()).toMatchObject([{ automatic_tax: { enabled: true } }])
  expect(await world.stored(id)).toMatchObject({ memberId: world.recipient.id, autoRenew: true, cancelAt: null })
  expect(await stripe.customers.retrieve(world.recipientCustomerId)).toMatchObject({ address: { country: 'FR' } })
})

test('a recipient of whom no address is known is told to add one, and can then turn it on', async () => {
  await using world = await cardTransfer(sandbox)
  const { stripe } = sandbox
  await stripe.customers.update(world.customerId, { address: { country: 'DE', postal_code: '10115' } })
  const id = await world.buy({ automatic_tax: { enabled: true } })
  const resume = async () =>
    world.as({ cookie: await world.session(world.recipient.id) }).send(subscriptionRenew, { body: { sid: id } })

  expect((await world.transfer()).status).toBe(200)
  expect(await world.stored(id)).toMatchObject({ autoRenew: false })
  expect(world.emailsTo(world.recipient.email).at(-1).text).toContain('a card and a billing address')
  expect(await resume()).toMatchObject({ status: 409, body: { code: 'tax_address_required' } })

  await stripe.customers.update(world.recipientCustomerId, { address: { country: 'JP' } })
  expect((await resume()).status).toBe(200)
  expect(await world.stored(id)).toMatchObject({ autoRenew: true, cancelAt: null })
})
