import { subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import { listMyProducts } from '@atrium/contract/products.ts'
import { expect, test, vi } from 'vitest'
import { cardTransfer } from '../../test/card-transfer.ts'
import { paypalVendor } from '../../test/paypal.ts'
import { prepaidVendor } from '../../test/prepaid-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import type { newWorld, TestMember } from '../../test/world.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { transfers } from './transfers.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const sandbox = await sandboxOfFile()

const ended = { autoRenew: false, isOtherCurrency: true, providerItems: [] } as const

/** Somebody who pays in dollars, and a recipient whom the card provider bills in euros, or in nothing yet. */
async function people({ hasCard = true, currency = 'eur' } = {}) {
  const world = await cardTransfer(sandbox, { hasCard })
  if (currency !== '') await world.billIn(currency)
  const asRecipient = async () => world.as({ cookie: await world.session(world.recipient.id) })
  return {
    ...world,
    resume: async (sid: string) => (await asRecipient()).send(subscriptionRenew, { body: { sid } }),
    row: async () => (await world.listed(world.recipient))[0],
    async product() {
      const query = { subscriptionType: '0', lang: 'en-us' } as const
      return (await (await asRecipient()).send(listMyProducts, { query })).body.list.flatMap(
        ({ subInfo }) => subInfo,
      )[0]
    },
    textsTo: (email: string): string[] => world.emailsTo(email).map(({ text }) => text),
  }
}

test.each([true, false])(
  'a recipient who pays in euros (with a card: %s) is offered what is in dollars without a charge',
  async (hasCard) => {
    await using world = await people({ hasCard })
    const id = await world.buy()
    const begin = vi.spyOn(world.deps.cards, 'continueSubscription')
    expect((await world.check(world.buyer)).moves).toMatchObject([{ fate: 'needs_card' }])
    const answer = await world.transfer()
    expect(answer).toMatchObject({ status: 200, body: { moved: [{ fate: 'other_currency' }] } })

    const [code, received, ...more] = world.textsTo(world.recipient.email)
    for (const text of [code, received]) {
      expect(text).toContain(
        'you won’t be charged for it: it is billed in USD, and your account pays in another currency.',
      )
      expect(text).not.toContain('$30.00')
      expect(text).not.toContain('turn auto-renewal on')
      expect(text).not.toContain('add a card')
    }
    expect(code).toContain('you accept the transfer:')
    expect(received).toContain('buy it in your account')
    expect(more).toEqual([])

    const [, senders, sent] = world.textsTo(world.buyer.email)
    expect(senders).toContain('Paid with the recipient’s card from')
    expect(senders).toContain('What is billed in a currency other than the recipient’s ends in any case.')
    expect(sent).toContain(', since the recipient can’t be billed in its currency')

    expect(begin).not.toHaveBeenCalled()
    const row = await world.stored(id)
    expect(row).toMatchObject({
      ...ended,
      memberId: world.recipient.id,
      cancelAt: row.periodEnd,
      endedAt: row.periodEnd,
    })
  },
)

test('the row says why it ends, without a switch; My Products leads to it, and turning it on is refused in words', async () => {
  await using world = await people()
  const id = await world.buy()
  expect((await world.transfer()).status).toBe(200)
  expect(await world.row()).toMatchObject({ autoRenewal: 0, hideResume: 1, endsForCurrency: 1, currency: 'USD' })
  const product = await world.product()
  expect(product).toMatchObject({ showTimeType: 'expire_on', showButtonType: 'view' })
  expect(product?.showButtonUrl).toContain('tab=my-subscriptions')
  expect(await world.resume(id)).toMatchObject({ status: 409, body: { code: 'other_currency' } })
})

test('the same currency goes on, whatever its spelling', async () => {
  await using world = await people({ currency: 'usd' })
  const id = await world.buy()
  expect(await world.transfer()).toMatchObject({ status: 200, body: { moved: [{ fate: 'goes_on' }] } })
  expect(await world.stored(id)).toMatchObject({ autoRenew: true, cancelAt: null, isOtherCurrency: false })
})

test.each([true, false])(
  'whom the provider has not billed yet (with a card: %s) keeps the currency of most',
  async (hasCard) => {
    await using world = await people({ hasCard, currency: '' })
    const euros = await world.buy()
    const dollars = [await world.buy(), await world.buy()]
    const { readSubscription } = world.deps.cards
    vi.spyOn(world.deps.cards, 'readSubscription').mockImplementation(async (id) => {
      const billed = await readSubscription(id)
      return id === euros ? { ...billed, items: billed.items.map((item) => ({ ...item, currency: 'EUR' })) } : billed
    })
    await world.sync(euros)
    expect((await world.check(world.buyer)).moves.map(({ fate }) => fate)).toEqual(Array(3).fill('needs_card'))
    const { moved } = (await world.transfer()).body
    const fates = new Map(moved.map((one) => [one.stripeSubscriptionId, one.fate]))
    const kept = hasCard ? 'goes_on' : 'ends_unless_resumed'
    expect([euros, ...dollars].map((id) => fates.get(id))).toEqual(['other_currency', kept, kept])
    expect(await world.stored(euros)).toMatchObject(ended)
    expect(await world.begun()).toHaveLength(hasCard ? 2 : 0)
    const [code, received] = world.textsTo(world.recipient.email)
    for (const text of [code, received]) {
      expect(text).toContain(
        'it is billed in EUR, other subscriptions of this transfer are billed in USD, and an account',
      )
      expect(text).not.toContain('your account pays in another currency')
    }
  },
)

test('billed in euros between the codes and the transfer: it ends, and one email says why', async () => {
  await using world = await people({ currency: '' })
  const id = await world.buy()
  const codes = await world.codesFor(world.buyer, world.recipient)
  await world.billIn('eur')
  expect((await world.use(world.buyer, world.recipient.email, codes)).status).toBe(200)
  const row = await world.stored(id)
  expect(row).toMatchObject({ ...ended, cancelAt: row.periodEnd, endedAt: row.periodEnd })
  const off = world.emailsTo(world.recipient.email).slice(2)
  expect(off).toHaveLength(1)
  expect(off[0].text).toContain('It can’t be renewed, since your account can’t be billed in USD')
  expect(off[0].text).not.toContain('turn auto-renewal on')
})

test('a promise that depends on a card is not broken: billed in euros before it is added, new codes are needed', async () => {
  await using world = await people({ hasCard: false, currency: '' })
  const id = await world.buy()
  const codes = await world.codesFor(world.buyer, world.recipient)
  await world.billIn('eur')
  const answer = await world.use(world.buyer, world.recipient.email, codes)
  expect(answer).toMatchObject({ status: 409, body: { code: 'transfer_changed' } })
  expect(await world.stored(id)).toMatchObject({ memberId: world.buyer.id, autoRenew: true })
})

test.each(['known before', 'said by the provider'])(
  'billed in euros after the transfer (%s): it can be turned on no more',
  async (how) => {
    await using world = await people({ hasCard: false, currency: '' })
    const id = await world.buy()
    expect((await world.transfer()).status).toBe(200)
    expect(await world.row()).toMatchObject({ hideResume: 0, endsForCurrency: 0 })
    await world.addCard()
    await world.billIn('eur')
    const { cards } = world.deps
    const { cards: read } = cards
    if (how !== 'known before') {
      vi.spyOn(cards, 'cards').mockImplementation(async (of) => ({ ...(await read(of)), currency: undefined }))
    }
    const begin = vi.spyOn(cards, 'continueSubscription')
    for (let times = 0; times < 2; times += 1) {
      expect(await world.resume(id)).toMatchObject({ status: 409, body: { code: 'other_currency' } })
    }
    expect(begin).toHaveBeenCalledTimes(how === 'known before' ? 0 : 1)
    expect(await world.row()).toMatchObject({ autoRenewal: 0, hideResume: 1, endsForCurrency: 1 })
    const row = await world.stored(id)
    expect(row).toMatchObject({ ...ended, endedAt: row.cancelAt })
  },
)

test('what ends for its currency, and is transferred again, says nothing of the Owner before', async () => {
  await using world = await people()
  const id = await world.buy()
  expect((await world.transfer()).status).toBe(200)
  const third = await world.member()
  await world.db.delete(transfers)
  expect((await world.transferBetween(world.recipient, third)).status).toBe(200)
  expect(await world.stored(id)).toMatchObject({ memberId: third.id, isOtherCurrency: false })
})

/** The card provider bills a member in euros only. */
async function billInEuros(world: Pick<World, 'db' | 'deps'>, { id: memberId, email }: TestMember) {
  const { stripe } = sandbox
  const { id: customerId } = await stripe.customers.create({ email })
  const createdAt = world.deps.clock()
  await world.db.insert(providerCustomers).values({ proof: 'ours', isMain: true, memberId, customerId, createdAt })
  const invoice = await stripe.invoices.create({ customer: customerId, currency: 'eur' })
  await stripe.invoices.finalizeInvoice(invoice.id)
}

test('PayPal’s, which only a card in another currency could continue, ends for good', async () => {
  const paypal = await paypalVendor(sandbox)
  await using world = { ...paypal, ...transfersIn(paypal) }
  await world.sellByCard()
  const recipient = await world.member()
  await billInEuros(world, recipient)
  const id = await world.buy()
  await world.sync(id)

  expect((await world.check(world.buyer)).moves).toMatchObject([{ fate: 'ends_unless_resumed' }])
  const answer = await world.transfer(world.buyer, recipient)
  expect(answer).toMatchObject({ status: 200, body: { moved: [{ fate: 'other_currency' }] } })
  const row = await world.stored(id)
  expect(row).toMatchObject({ ...ended, endedAt: row.periodEnd })
  expect(world.emailsTo(recipient.email).at(-1).text).toContain('it is billed in USD')
})

test('a prepaid term in dollars: who is billed in euros is offered no renewal, and reads why', async () => {
  const prepaid = await prepaidVendor(sandbox)
  await using world = { ...prepaid, ...transfersIn(prepaid) }
  const recipient = await world.member()
  await billInEuros(world, recipient)
  const id = await world.term()
  expect(await world.listed()).toMatchObject([{ manualRenew: 1, endsForCurrency: 0 }])
  expect((await world.check(world.buyer)).moves).toMatchObject([{ fate: 'ends' }])
  const answer = await world.transfer(world.buyer, recipient)
  expect(answer).toMatchObject({ status: 200, body: { moved: [{ fate: 'other_currency' }] } })

  expect(await world.listed(recipient)).toMatchObject([{ manualRenew: 0, endsForCurrency: 1 }])
  expect(await world.stored(id)).toMatchObject({ memberId: recipient.id, isOtherCurrency: true, endedAt: null })
  const member = { ...recipient, cookie: await world.session(recipient.id) }
  expect(await world.quote(id, { member })).toMatchObject({ status: 409, body: { code: 'other_currency' } })
})

test('a prepaid term whose Owner is billed in euros meanwhile is refused with the reason', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const invoice = await sandbox.stripe.invoices.create({ customer: world.customerId, currency: 'eur' })
  await sandbox.stripe.invoices.finalizeInvoice(invoice.id)
  expect(await world.quote(id)).toMatchObject({ status: 409, body: { code: 'other_currency' } })
})
