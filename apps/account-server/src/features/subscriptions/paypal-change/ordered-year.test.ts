import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  approve,
  comeBack,
  halfway,
  order,
  type PaypalVendor,
  quote,
  stored,
  twoMore,
} from '../../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { mailQueue } from '../../mail/mail.writes.ts'

const sandbox = await sandboxOfFile()

const annual = { type: 'switch-to-annual-billing' } as const
const upgrade = { type: 'switch-to-business-billing' } as const
const Email = z.object({ subject: z.string(), text: z.string() })

/** A month at PayPal of which half is left, and whose Owner has ordered a year that begins after it. */
async function yearOrdered({ isConfirmed }: { isConfirmed: boolean }) {
  const { world, id } = await halfway(sandbox)
  const { approveLink } = (await order(world, id, annual)).body
  if (isConfirmed) {
    await approve(world, approveLink)
    await world.sync(id)
  }
  return { world, id }
}

/** Orders, pays, and comes back. @returns where the next period is confirmed */
async function pay(world: PaypalVendor, id: string, asked: Parameters<typeof order>[2] = twoMore) {
  await approve(world, (await order(world, id, asked)).body.approveUrl)
  return (await comeBack(world, id)).body.approveLink
}

function lastEmail({ sent }: { sent: readonly { queue: string; data: object }[] }) {
  return Email.parse(sent.findLast(({ queue }) => queue === mailQueue)?.data)
}

const year = (seats: number) => ({ paidType: 'yearly', userCount: seats, price: seats * 9600, currency: 'USD' })
const month = (seats: number) => ({ paidType: 'monthly', userCount: seats, price: seats * 1000, currency: 'USD' })

test('more seats before a confirmed year are paid for the month, and the year begins with all of them', async () => {
  const { world, id } = await yearOrdered({ isConfirmed: true })
  await using _world = world
  const { periodEnd } = await stored(world, id)
  expect((await quote(world, id)).body.quote).toMatchObject({
    chargeAmount: 1000,
    after: { paidType: 'monthly', userCount: 5 },
    nextRenewal: { amount: 48_000, date: periodEnd?.toISOString(), paidType: 'yearly' },
  })

  const approveLink = await pay(world, id)
  expect(await world.listed()).toMatchObject([
    { ...month(5), paypalRenewConfirm: 1, nextPlan: { when: 'confirmed', ...year(5), otherwise: year(3) } },
  ])
  const { text } = lastEmail(world)
  expect(text).toMatch(/once you confirm it at PayPal: Folio PDF Editor\+ · 5\sseats · Annual · \$480\.00/)
  expect(text).toMatch(/Without that, this renews: Folio PDF Editor\+ · 3\sseats · Annual · \$288\.00/)

  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ nextPlan: { when: 'confirmed', ...year(5), otherwise: year(3) } }])
  await approve(world, approveLink)
  await world.sync(id)
  expect(await world.listed()).toMatchObject([
    { ...month(5), paypalRenewConfirm: 0, nextPlan: { when: 'certain', ...year(5) } },
  ])
  expect((await world.listed())[0]?.nextPlan).not.toHaveProperty('otherwise')
  expect(lastEmail(world).text).toMatch(/Annual[\s\S]*\$480\.00/)
})

test('a year that was ordered and not confirmed stays ordered, with the new seats', async () => {
  const { world, id } = await yearOrdered({ isConfirmed: false })
  await using _world = world
  expect((await quote(world, id)).body.quote.nextRenewal).toMatchObject({ amount: 48_000, paidType: 'yearly' })
  const approveLink = await pay(world, id)
  expect(await world.listed()).toMatchObject([
    { ...month(5), nextPlan: { when: 'confirmed', ...year(5), otherwise: month(3) } },
  ])
  await approve(world, approveLink)
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ ...month(5), nextPlan: { when: 'certain', ...year(5) } }])
})

test('a second change counts from the first, and without a confirmation PayPal bills what it has', async () => {
  const { world, id } = await yearOrdered({ isConfirmed: true })
  await using _world = world
  await pay(world, id)
  await pay(world, id, { type: 'buy-more', increasingNumber: 1 })
  expect(await world.listed()).toMatchObject([
    { ...month(6), nextPlan: { when: 'confirmed', ...year(6), otherwise: year(3) } },
  ])
})

test('an upgrade before a year is that product’s year', async () => {
  const { world, id } = await yearOrdered({ isConfirmed: true })
  await using _world = world
  const { chargeAmount, nextRenewal } = (await quote(world, id, upgrade)).body.quote
  expect([chargeAmount, nextRenewal]).toMatchObject([2250, { amount: 72_000, paidType: 'yearly' }])
  const approveLink = await pay(world, id, upgrade)
  const [listed] = await world.listed()
  expect(listed).toMatchObject({
    ...{ appName: 'Folio Suite', price: 7500, paidType: 'monthly' },
    nextPlan: {
      ...{ when: 'confirmed', appName: 'Folio Suite', paidType: 'yearly', price: 72_000 },
      otherwise: { appName: 'Folio PDF Editor+', ...year(3) },
    },
  })
  await approve(world, approveLink)
  await world.sync(id)
  expect(await world.listed()).toMatchObject([
    { appName: 'Folio Suite', nextPlan: { when: 'certain', appName: 'Folio Suite', price: 72_000 } },
  ])
})

test('a year that is ordered while seats wait for their confirmation says what renews without it', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  await pay(world, id)
  await order(world, id, annual)
  const ordered = { ...month(5), nextPlan: { when: 'confirmed', ...year(5), otherwise: month(3) } }
  expect(await world.listed()).toMatchObject([ordered])
  await world.sync(id)
  expect(await world.listed()).toMatchObject([ordered])
})

test('a quote says what renews: it is not charged once a year was ordered since', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { quoteId } = (await quote(world, id)).body.quote
  await order(world, id, annual)
  const late = await order(world, id, twoMore, quoteId)
  expect(late).toMatchObject({
    status: 409,
    body: { code: 'quote_changed', data: { nextRenewal: { amount: 48_000 } } },
  })
})
