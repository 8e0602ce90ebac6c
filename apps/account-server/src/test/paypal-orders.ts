import type { PlanChangeType } from '@atrium/contract/plan-change-types.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { subscriptions } from '../features/subscriptions/subscriptions.tables.ts'
import { paypalVendor } from './paypal.ts'
import type { Sandbox } from './sandbox.ts'

export type PaypalVendor = Awaited<ReturnType<typeof paypalVendor>>

interface Asked {
  type: PlanChangeType
  increasingNumber?: number
  couponCode?: string
}

export const twoMore = { type: 'buy-more', increasingNumber: 2 } as const

/** A month of three seats at PayPal. */
export async function subscribed(sandbox: Sandbox) {
  const world = await paypalVendor(sandbox)
  const id = await world.buy()
  await world.sync(id)
  return { world, id }
}

/** The same when half of the month is left. */
export async function halfway(sandbox: Sandbox) {
  const { world, id } = await subscribed(sandbox)
  const { periodStart, periodEnd } = await stored(world, id)
  world.at(new Date((periodStart.getTime() + (periodEnd?.getTime() ?? 0)) / 2))
  return { world, id }
}

/** The same, of which only a typed address says that it is the customer's. */
export async function typed(sandbox: Sandbox) {
  const world = await paypalVendor(sandbox)
  const id = await world.buy({ customId: world.buyer.email })
  await world.sync(id)
  return { world, id }
}

/** Whose session may have ended with the clock's moves. */
export async function buyer(world: PaypalVendor) {
  return world.as({ cookie: await world.session(world.buyer.id) })
}

export async function quote(world: PaypalVendor, sid: string, asked: Asked = twoMore) {
  return (await buyer(world)).send(contract.changePlanFrom, { body: { sid, ...asked } })
}

/** Commits a quote; without one, quotes and commits at once. */
export async function order(world: PaypalVendor, sid: string, asked: Asked = twoMore, quoted?: string) {
  const quoteId = quoted ?? (await quote(world, sid, asked)).body.quote.quoteId
  return (await buyer(world)).send(contract.changePlan, { body: { subscriptionId: sid, quoteId, ...asked } })
}

export async function comeBack(world: PaypalVendor, subscriptionId: string, known: { invoiceId?: string } = {}) {
  return (await buyer(world)).send(contract.paypalCallBack, { body: { subscriptionId, ...known } })
}

/** The customer answers on the page of a link. */
export function approve(world: PaypalVendor, link: string, answer: 'approve' | 'no-funds' = 'approve') {
  return world.control('POST', 'approvals/', { link, answer })
}

/** Another account answers there, or somebody without one. */
export function approveAs(world: PaypalVendor, link: string, payer: 'other' | 'guest') {
  return world.control('POST', 'approvals/', { link, payer })
}

export async function stored(world: PaypalVendor, id: string) {
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, id))
  if (!row) throw new Error('the subscription is not stored')
  return row
}
