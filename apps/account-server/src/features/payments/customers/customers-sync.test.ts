import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { newWorld } from '../../../test/world.ts'
import { addressSubject, signReference } from './account-reference.rules.ts'
import { customersOfMember, linkOfCustomer } from './customers.queries.ts'
import { proofCounts, syncCustomers } from './customers.sync.ts'
import { providerCustomers } from './customers.tables.ts'

const sandbox = await sandboxOfFile()

/** As far as it is proven. */
const whole = { isPartlyProven: false }

const secret = 'a secret that the shop and the account area share'

async function vendor() {
  const world = await newWorld({ settings: { ...sandbox.settings, SHOP_SIGNING_SECRET: secret } })
  const { deps } = world
  const { stripe } = sandbox
  const said: string[] = []
  return {
    ...world,
    said,
    sync: (confirmedUntil?: Date) =>
      syncCustomers({ ...deps, confirmedUntil, now: deps.clock(), say: (sentence) => said.push(sentence) }),
    create: (email: string, metadata: Record<string, string> = {}) => stripe.customers.create({ email, metadata }),
    /** A card, and something that was paid with it. */
    async pay(customer: string, card = 'pm_card_visa') {
      const { id: method } = await stripe.paymentMethods.attach(card, { customer })
      const draft = await stripe.invoices.create({ customer, default_payment_method: method })
      await stripe.invoiceItems.create({ customer, invoice: draft.id, amount: 700, currency: 'usd' })
      await stripe.invoices.finalizeInvoice(draft.id)
      await stripe.invoices.pay(draft.id)
    },
    proofs: async (member: { id: string }) =>
      Object.fromEntries(
        (await customersOfMember(world.db, member)).map(({ customerId, ...link }) => [customerId, link]),
      ),
  }
}

test('all paying customers with a verified address are linked, by the address alone; a stored link stays', async () => {
  await using world = await vendor()
  const [ada, linked, unverified] = [
    await world.member(),
    await world.member(),
    await world.member({ emailVerified: false }),
  ]
  const [older, newer] = [await world.create(ada.email), await world.create(ada.email.toUpperCase())]
  const empty = await world.create(ada.email)
  const beside = await world.create(linked.email)
  const [stranger, unknown] = [await world.create('stranger@example.test'), await world.create(unverified.email)]
  for (const { id } of [older, newer, beside, stranger, unknown]) await world.pay(id)
  const stored = { memberId: linked.id, customerId: `cus_${randomUUID()}`, createdAt: world.deps.clock() }
  await world.db.insert(providerCustomers).values({ ...stored, proof: 'vendor', isMain: true })

  expect(await world.sync()).toMatchObject({ linked: 3, unmatched: 3 })
  expect(await world.sync()).toMatchObject({ linked: 0, known: 3, unmatched: 3 })
  const byAddress = { proof: 'address', ...whole, isMain: false }
  expect(await world.proofs(ada)).toEqual({ [older.id]: byAddress, [newer.id]: byAddress })
  expect(await world.proofs(linked)).toEqual({
    [stored.customerId]: { proof: 'vendor', ...whole, isMain: true },
    [beside.id]: byAddress,
  })
  for (const { id } of [empty, stranger, unknown]) expect(world.said.join('\n')).toContain(id)
})

test('what the vendor’s key or shop wrote, and the operator’s word, prove a link, also of one that was made before', async () => {
  await using world = await vendor()
  const [named, signed, confirmed] = [await world.member(), await world.member(), await world.member()]
  const customers = [
    await world.create(named.email),
    await world.create(signed.email),
    await world.create(confirmed.email),
  ]
  for (const { id } of customers) await world.pay(id)
  await world.sync()
  expect(await proofCounts(world.db)).toMatchObject({ address: expect.any(Number) })
  const subject = addressSubject(signed.email)
  const reference = signReference(secret, { subject, expiresAt: new Date(Date.now() + 3_600_000) })
  const [first, second, third] = customers.map(({ id }) => id)
  await sandbox.stripe.customers.update(first ?? '', { metadata: { memberId: named.id } })
  await sandbox.stripe.customers.update(second ?? '', { metadata: { accountReference: reference } })

  expect(await world.sync(new Date(0))).toMatchObject({ linked: 0, raised: 2 })
  await world.sync(new Date(Date.now() + 60_000))
  expect(await world.proofs(named)).toEqual({ [first ?? '']: { proof: 'ours', ...whole, isMain: true } })
  expect(await world.proofs(signed)).toEqual({ [second ?? '']: { proof: 'signed', ...whole, isMain: true } })
  expect(await world.proofs(confirmed)).toEqual({ [third ?? '']: { proof: 'vendor', ...whole, isMain: true } })
})

test('a reference of somebody else’s secret, one that had ended, and one of a member who is gone prove nothing', async () => {
  await using world = await vendor()
  const member = await world.member()
  const later = new Date(Date.now() + 3_600_000)
  const references = [
    signReference('a secret of somebody else, which is long enough', { subject: member.id, expiresAt: later }),
    signReference(secret, { subject: member.id, expiresAt: new Date(Date.now() - 60_000) }),
    signReference(secret, { subject: randomUUID(), expiresAt: later }),
  ]
  for (const accountReference of references) {
    const { id } = await world.create('stranger@example.test', { accountReference })
    await world.pay(id)
    await world.sync()
    expect(await linkOfCustomer(world.db, id)).toBeUndefined()
  }
})

test('the same card on file proves that a customer is the member; another card does not', async () => {
  await using world = await vendor()
  const member = await world.member()
  const [main, same, other] = [
    await world.create(member.email, { memberId: member.id }),
    await world.create(member.email),
    await world.create(member.email),
  ]
  await world.pay(main.id, 'pm_card_mastercard')
  await world.pay(same.id, 'pm_card_mastercard')
  await world.pay(other.id, 'pm_card_visa')
  await world.sync()

  expect(await world.proofs(member)).toEqual({
    [main.id]: { proof: 'ours', ...whole, isMain: true },
    [same.id]: { proof: 'ours', isPartlyProven: true, isMain: false },
    [other.id]: { proof: 'address', ...whole, isMain: false },
  })
})

test('more than a page of customers is linked', async () => {
  await using world = await vendor()
  for (let count = 0; count < 105; count += 1) await world.create((await world.member()).email)

  const { linked } = await world.sync(new Date(Date.now() + 60_000))
  expect(linked).toBeGreaterThanOrEqual(105)
})

test('a customer with the domain of the address as it was typed is found', async () => {
  await using world = await vendor()
  const domain = `${randomUUID()}.test`
  const [typed, form] = [await world.create(`ada@bücher.${domain}`), await world.create(`ada@xn--bcher-kva.${domain}`)]
  const found = await world.deps.cards.customersOf(`ada@xn--bcher-kva.${domain}`)
  expect(found.map(({ id, email }) => [id, email]).sort()).toEqual(
    [typed, form].map(({ id }) => [id, `ada@xn--bcher-kva.${domain}`]).sort(),
  )
})

test('what a customer bought is read until it is known to whom the vendor sold it, and that not all was sold to them', async () => {
  await using world = await vendor()
  const [typed, named] = [await world.member(), await world.member()]
  const { id } = await world.create(typed.email)
  await world.pay(id)
  const claim = { memberId: named.id, reference: '', createdAt: world.deps.clock() }
  world.deps.cards.claimsOf = async function* () {
    yield [claim]
    yield [{ ...claim, memberId: '' }]
    throw new Error('more is read than needed')
  }
  await world.sync()
  expect(await linkOfCustomer(world.db, id)).toMatchObject({
    ...{ memberId: named.id, proof: 'ours', isPartlyProven: true },
  })
})
