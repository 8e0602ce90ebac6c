import { paypalAddLicense, paypalRenewSubscription } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { newSeat, newSubscription } from '../../test/factories.ts'
import { paypalVendor } from '../../test/paypal.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { newWorld } from '../../test/world.ts'
import { mailQueue } from '../mail/mail.writes.ts'
import { subscriptions } from './subscriptions.tables.ts'

const Sent = z.object({ subject: z.string(), text: z.string() })

const sandbox = await sandboxOfFile()

const vendor = () => paypalVendor(sandbox)
type Vendor = Awaited<ReturnType<typeof vendor>>

const comeBack = (world: Vendor, stripeSubscriptionId: string, member = world.buyer) =>
  world.as(member).send(paypalAddLicense, { query: { stripeSubscriptionId, discountBizType: 'new' } })

const confirm = (world: Vendor, sid: string, member = world.buyer) =>
  world.as(member).send(paypalRenewSubscription, { body: { sid } })

test('who comes back from PayPal has the subscription at once, however often, before any webhook', async () => {
  await using world = await vendor()
  const id = await world.buy()
  const replies = await Promise.all([comeBack(world, id), comeBack(world, id), comeBack(world, id)])
  expect(replies.map(({ status, body }) => [status, body.status])).toEqual(Array(3).fill([200, 'active']))
  expect(await world.listed()).toHaveLength(1)
})

test('the address proves nothing: not approved, somebody else’s and unknown ones look alike, and change nothing', async () => {
  await using world = await vendor()
  const stranger = await world.member()
  const [open, paid] = [await world.buy({ answer: 'none' }), await world.buy()]
  const answers = [
    await comeBack(world, open),
    await comeBack(world, paid, stranger),
    await comeBack(world, 'I-NOBODYSOWN00'),
    await comeBack(world, 'sub_1'),
    await comeBack(world, '../../v1/billing/plans'),
  ]
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(5).fill([404, 'not_found']))
  const [foreign, missing] = [answers[1]?.body, answers[2]?.body]
  expect({ ...foreign, requestId: '' }).toEqual({ ...missing, requestId: '' })
  expect((await comeBack(world, paid)).body.status).toBe('active')
})

test('a PayPal that is away is said so, and the list is as it was', async () => {
  await using world = await vendor()
  const id = await world.buy()
  for (const kind of ['html', 'error', 'reset']) {
    await world.control('POST', 'faults/', { kind, pattern: '*', times: 10 })
    const reply = await comeBack(world, id)
    expect([reply.status, reply.body.code], kind).toEqual([503, 'paypal_unavailable'])
    await world.control('DELETE', 'faults/')
  }
  expect(await world.listed()).toEqual([])
  expect((await comeBack(world, id)).status).toBe(200)
})

test('a renewal is confirmed at PayPal’s own page; once approved nothing is left to confirm', async () => {
  await using world = await vendor()
  const id = await world.buy()
  await world.sync(id)
  expect((await confirm(world, id)).body.code).toBe('nothing_to_confirm')

  const pending = { pendingPlanId: world.plan?.id ?? '', pendingQuantity: 5 }
  await world.db.update(subscriptions).set(pending).where(eq(subscriptions.id, id))
  expect(await world.listed()).toMatchObject([{ paypalRenewConfirm: 1, userCount: 3 }])
  const [first, second] = [await confirm(world, id), await confirm(world, id)]
  expect([first.status, new URL(second.body.approveLink).origin]).toEqual([200, sandbox.url])
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ paypalRenewConfirm: 1, userCount: 3 }])

  await world.control('POST', 'approvals/', { link: second.body.approveLink, answer: 'approve' })
  await world.sync(id)
  // PayPal bills it from the next cycle on.
  expect(await world.listed()).toMatchObject([{ paypalRenewConfirm: 0, userCount: 3, price: 3000 }])
})

test('a second return, in other tabs too, is given the page that is open, and PayPal is asked once', async () => {
  await using world = await vendor()
  const id = await world.buy()
  await world.sync(id)
  const pending = { pendingPlanId: world.plan?.id ?? '', pendingQuantity: 5 }
  await world.db.update(subscriptions).set(pending).where(eq(subscriptions.id, id))
  const revise = vi.spyOn(world.deps.paypal, 'reviseSubscription')
  const tabs = await Promise.all(Array.from({ length: 5 }, () => confirm(world, id)))
  const links = [...tabs, await confirm(world, id)].map(({ status, body }) => [status, body.approveLink])
  expect(links).toEqual(Array(6).fill([200, tabs[0]?.body.approveLink]))
  expect(revise).toHaveBeenCalledTimes(1)

  await world.control('POST', 'approvals/', { link: tabs[0]?.body.approveLink, answer: 'approve' })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ paypalRenewConfirm: 0 }])
})

test('another page is asked for once the first is gone, or something else is to be confirmed, or PayPal was away', async () => {
  await using world = await vendor()
  const id = await world.buy()
  await world.sync(id)
  const planId = world.plan?.id ?? ''
  const want = (pendingQuantity: number) =>
    world.db.update(subscriptions).set({ pendingPlanId: planId, pendingQuantity }).where(eq(subscriptions.id, id))
  await want(5)
  await world.control('POST', 'faults/', { kind: 'error', pattern: '*', times: 10 })
  expect((await confirm(world, id)).body.code).toBe('paypal_unavailable')
  await world.control('DELETE', 'faults/')
  const first = (await confirm(world, id)).body.approveLink
  await want(6)
  const second = (await confirm(world, id)).body.approveLink
  world.at(new Date(world.deps.clock().getTime() + 4 * 3_600_000))
  const third = (await confirm(world, id, { ...world.buyer, cookie: await world.session(world.buyer.id) })).body
  expect(new Set([first, second, third.approveLink]).size).toBe(3)
})

test('a change whose plan is not sold at PayPal any more says what follows, rather than to try again', async () => {
  await using world = await vendor()
  const id = await world.buy()
  await world.sync(id)
  const planId = world.plan?.id ?? ''
  await world.db
    .update(subscriptions)
    .set({ pendingPlanId: planId, pendingQuantity: 5 })
    .where(eq(subscriptions.id, id))
  // The catalog has another price since, which is another plan.
  await world.call('POST', `/v1/billing/plans/${planId}/deactivate`, {})
  expect(await confirm(world, id)).toMatchObject({ status: 409, body: { code: 'plan_price_changed' } })
  expect(await world.listed()).toMatchObject([{ userCount: 3, stripeSubscriptionStatus: 'active' }])
})

test('the way back also finds what was imported under another id than PayPal’s, and says what came of it', async () => {
  await using world = await vendor()
  const providerId = await world.buy()
  const { id } = await newSubscription(world, world.buyer, { channel: 'paypal', providerId })
  await world.sync(providerId)
  const pending = { pendingPlanId: world.plan?.id ?? '', pendingQuantity: 5 }
  await world.db.update(subscriptions).set(pending).where(eq(subscriptions.id, id))
  const { approveLink } = (await confirm(world, id)).body
  const here = { subscriptionId: id, status: 'active' }
  // Canceled on PayPal's page: the address is the same.
  expect(await comeBack(world, providerId)).toMatchObject({ status: 200, body: { ...here, paypalRenewConfirm: 1 } })

  await world.control('POST', 'approvals/', { link: approveLink, answer: 'approve' })
  world.sent.splice(0)
  expect(await comeBack(world, providerId)).toMatchObject({ status: 200, body: { ...here, paypalRenewConfirm: 0 } })
  const emails = world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  expect(emails).toMatchObject([{ subject: expect.stringMatching(/^Confirmed: your change of/) }])
  expect(emails[0]?.text).toMatch(/Renews on: .* for \$/)
})

test('only the Owner confirms, only what PayPal bills, and a stranger’s looks missing', async () => {
  await using world = await vendor()
  const [pia, stranger] = [await world.member(), await world.member()]
  const waiting = { channel: 'paypal', providerId: 'I-WAITING', pendingPlanId: 'P-1', pendingQuantity: 1 } as const
  const { id } = await newSubscription(world, world.buyer, waiting)
  await newSeat(world, id, { memberId: pia.id, email: pia.email })

  expect((await confirm(world, id, pia)).body.code).toBe('not_owner')
  const [foreign, missing] = [await confirm(world, id, stranger), await confirm(world, 'sub-none', stranger)]
  expect(foreign.status).toBe(404)
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
})

test('without PayPal nothing is looked up', async () => {
  await using world = await newWorld({ settings: { PAYPAL: 'none' } })
  const member = await world.member()
  const query = { stripeSubscriptionId: 'I-ANYTHING', discountBizType: '' }
  expect((await world.as(member).send(paypalAddLicense, { query })).status).toBe(404)
})
