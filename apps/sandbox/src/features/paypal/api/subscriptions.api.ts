import { z } from 'zod'
import { wireTransaction } from '../payments/sales.wire.ts'
import { billedPlan } from '../plans/plan-override.ts'
import { children, find, list } from '../store/store.ts'
import type { Billed } from '../subscriptions/billing.writes.ts'
import { revise } from '../subscriptions/revisions.writes.ts'
import { Fields, NewSubscription, Period, Revision } from '../subscriptions/subscriptions.parameters.ts'
import { subscriptionsPath as path, shortSubscription, wireSubscription } from '../subscriptions/subscriptions.wire.ts'
import { activate, cancel, createSubscription, suspend } from '../subscriptions/subscriptions.writes.ts'
import type { Api } from '../wire/api.ts'
import type { Reading } from '../wire/call.ts'
import { paging, reason, text } from '../wire/fields.rules.ts'
import { pageLink } from '../wire/links.ts'
import { notFound } from '../wire/refusal.ts'

/** Subscriptions, version 1. */
export function subscriptionsApi(api: Api): void {
  api.change({
    method: 'POST',
    path,
    body: NewSubscription,
    remembers: 72,
    async run(call, { body, isWhole }) {
      const made = await createSubscription(call, body)
      return { status: 201, body: isWhole ? wireSubscription(call, made) : shortSubscription(call, made.subscription) }
    },
    async repeat(call, first, { isWhole }) {
      const made = await foundSubscription(call, z.object({ id: z.string() }).parse(first).id)
      return isWhole ? wireSubscription(call, made) : shortSubscription(call, made.subscription)
    },
  })

  api.get({
    path: `${path}/:id`,
    query: Fields,
    async run(call, { id, query }) {
      const found = await foundSubscription(call, id)
      return wireSubscription(call, { ...found, fields: query.fields?.split(',') ?? [] })
    },
  })

  lists(api)
  actions(api)
}

function lists(api: Api): void {
  api.get({
    path,
    query: z.object(paging),
    async run(call, { query: { page, page_size: pageSize } }) {
      const { objects } = await list(call.tx, { kind: 'subscription', page, pageSize })
      const subscriptions: object[] = []
      for (const { id } of objects) subscriptions.push(wireSubscription(call, await foundSubscription(call, id)))
      return { subscriptions, links: [pageLink(call, path, { page, pageSize })] }
    },
  })

  api.get({
    path: `${path}/:id/transactions`,
    query: Period,
    async run(call, { id, query: { start_time: from, end_time: to } }) {
      const { subscription } = await foundSubscription(call, id)
      const sales = await children(call.tx, 'sale', id)
      const within = sales.filter(({ createdAt }) => new Date(createdAt) >= from && new Date(createdAt) <= to)
      return {
        transactions: within.map((sale) => wireTransaction(sale, subscription.buyer)),
        total_items: within.length,
        total_pages: 1,
        links: [{ href: `${call.publicUrl}${path}/${id}/transactions`, rel: 'self', method: 'GET' }],
      }
    },
  })
}

function actions(api: Api): void {
  const Reason = z.strictObject({ reason: text(128).optional() }).optional()

  api.change({
    method: 'POST',
    path: `${path}/:id/revise`,
    body: Revision,
    run: async (call, { id, body }) => ({ status: 200, body: await revise(call, id, body) }),
  })
  api.change({
    method: 'POST',
    path: `${path}/:id/suspend`,
    body: reason,
    async run(call, { id, body }) {
      await suspend(call, id, body.reason)
      return { status: 204 }
    },
  })
  api.change({
    method: 'POST',
    path: `${path}/:id/activate`,
    body: Reason,
    async run(call, { id, body }) {
      await activate(call, id, body?.reason ?? null)
      return { status: 204 }
    },
  })
  api.change({
    method: 'POST',
    path: `${path}/:id/cancel`,
    body: reason,
    async run(call, { id, body }) {
      await cancel(call, id, body.reason)
      return { status: 204 }
    },
  })
}

/** @throws Refusal 404 */
async function foundSubscription(call: Reading, id: string): Promise<Billed> {
  const subscription = await find(call.tx, 'subscription', id)
  const plan = subscription && (await billedPlan(call.tx, subscription))
  if (!subscription || !plan) throw notFound()
  return { subscription, plan }
}
