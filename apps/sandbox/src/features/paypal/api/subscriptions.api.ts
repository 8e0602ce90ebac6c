import { inArray } from 'drizzle-orm'
import { z } from 'zod'
import { wireTransaction } from '../payments/sales.wire.ts'
import { billedPlan } from '../plans/plan-override.ts'
import { paypalObjects } from '../store/paypal.tables.ts'
import { children, find, list } from '../store/store.ts'
import type { Billed } from '../subscriptions/billing.writes.ts'
import { revise } from '../subscriptions/revisions.writes.ts'
import {
  Fields,
  Filter,
  NewSubscription,
  OutstandingCapture,
  Period,
  Revision,
} from '../subscriptions/subscriptions.parameters.ts'
import { subscriptionsPath as path, shortSubscription, wireSubscription } from '../subscriptions/subscriptions.wire.ts'
import {
  activate,
  cancel,
  captureOutstanding,
  createSubscription,
  patchSubscription,
  suspend,
} from '../subscriptions/subscriptions.writes.ts'
import type { Api } from '../wire/api.ts'
import type { Call } from '../wire/call.ts'
import { patches, reason, text } from '../wire/fields.rules.ts'
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

  api.change({
    method: 'PATCH',
    path: `${path}/:id`,
    body: patches,
    async run(call, { id, body }) {
      await patchSubscription(call, id, body)
      return { status: 204 }
    },
  })

  lists(api)
  actions(api)
}

function lists(api: Api): void {
  api.get({
    path,
    query: Filter,
    async run(call, { query: { page, page_size: pageSize, ...query } }) {
      const plans = query.plan_ids?.split(',')
      const where = plans ? [inArray(paypalObjects.parent, plans)] : []
      const { objects, total } = await list(call.tx, { kind: 'subscription', where, page, pageSize })
      const statuses = query.statuses?.split(',')
      const shown = objects.filter(({ status }) => statuses?.includes(status) ?? true)
      const subscriptions: ReturnType<typeof wireSubscription>[] = []
      for (const { id } of shown) subscriptions.push(wireSubscription(call, await foundSubscription(call, id)))
      return {
        ...(query.total_required === 'true' && { total_items: total, total_pages: Math.ceil(total / pageSize) }),
        subscriptions,
        links: [{ href: `${call.publicUrl}${path}?page=${page}&page_size=${pageSize}`, rel: 'self', method: 'GET' }],
      }
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
  api.change({
    method: 'POST',
    path: `${path}/:id/capture`,
    body: OutstandingCapture,
    remembers: 72,
    async run(call, { id, body }) {
      const { sale, subscription } = await captureOutstanding(call, id, body)
      return { status: 200, body: wireTransaction(sale, subscription.buyer) }
    },
  })
}

/** @throws Refusal 404 */
async function foundSubscription(call: Call, id: string): Promise<Billed> {
  const subscription = await find(call.tx, 'subscription', id)
  const plan = subscription && (await billedPlan(call.tx, subscription))
  if (!subscription || !plan) throw notFound()
  return { subscription, plan }
}
