import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { unmatchedPurchases } from '../features/payments/unmatched/unmatched.tables.ts'
import { transfers } from '../features/transfers/transfers.tables.ts'
import { cardTransfer } from './card-transfer.ts'
import type { Sandbox } from './sandbox.ts'

const dayMs = 86_400_000

export function daysBetween(one: Date | null, other: Date | null): number {
  return (Number(other) - Number(one)) / dayMs
}

interface Refund {
  paid?: number
  /** In minor units. */
  part?: number
  percent?: number
  customer?: string
}

/** What the vendor can do at the provider with what was paid and transferred. */
export async function withdrawable(
  sandbox: Sandbox,
  { hasCard = false, of = buyYear }: { hasCard?: boolean; of?: (world: World) => Promise<string> } = {},
) {
  const { stripe } = sandbox
  const world = await cardTransfer(sandbox, { hasCard })
  const id = await of(world)
  const invoices = (await stripe.invoices.list({ subscription: id })).data
  for (const invoice of invoices) await world.syncInvoice(invoice.id)
  /** @param paid what the charge was; left out: the last one */
  async function refund({ paid, percent = 100, customer = world.customerId, ...asked }: Refund = {}) {
    const charges = (await stripe.charges.list({ customer })).data
    const charge = charges.find((one) => paid === undefined || one.amount === paid)
    const amount = asked.part ?? Math.round(((charge?.amount ?? 0) * percent) / 100)
    const given = await stripe.refunds.create({ charge: charge?.id ?? '', amount })
    await world.syncRefund(given.id)
  }
  return {
    ...world,
    id,
    refund,
    async move() {
      expect((await world.transfer()).status).toBe(200)
      await world.reconcileAfter(60)
    },
    async end(providerId = id) {
      await stripe.subscriptions.cancel(providerId)
      await world.sync(providerId)
    },
    /** The recipient gives it to a third member. */
    async moveOn() {
      // Nobody transfers twice in 30 days.
      await world.db.delete(transfers).where(eq(transfers.recipientId, world.recipient.id))
      const third = await world.member()
      expect((await world.transferBetween(world.recipient, third)).status).toBe(200)
      await world.reconcileAfter(60)
    },
    status: async () => (await world.listed(world.recipient))[0]?.stripeSubscriptionStatus,
    waiting: (objectId = id) =>
      world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, objectId)),
  }
}

export type World = Awaited<ReturnType<typeof cardTransfer>>

interface PlanChange {
  type: 'switch-to-annual-billing' | 'buy-more'
  increasingNumber?: number
}

const buyYear = (world: World) => world.buy({ term: 'yearly' })

export async function change(world: World, sid: string, asked: PlanChange, of = world.buyer) {
  const owner = world.as(of)
  const { body } = await owner.send(contract.changePlanFrom, { body: { sid, ...asked } })
  const sent = { subscriptionId: sid, ...asked, quoteId: body.quote.quoteId }
  expect((await owner.send(contract.changePlan, { body: sent })).status).toBe(200)
  const providerId = String((await world.stored(sid)).providerId)
  await world.sync(providerId)
  for (const invoice of (await world.stripe.invoices.list({ subscription: providerId })).data) {
    await world.syncInvoice(invoice.id)
  }
}

/** A month of one seat for $10, and the year instead for $90 more. */
export async function switchToYear(world: World): Promise<string> {
  const id = await world.buy({ quantity: 1 })
  await change(world, id, { type: 'switch-to-annual-billing' })
  return id
}
