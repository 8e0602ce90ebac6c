import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { NewPlan, NewPrices } from '../plans/plans.parameters.ts'
import { planEvent, plansPath, shortPlan, wirePlan } from '../plans/plans.wire.ts'
import { changePrices, createPlan, lockedPlan } from '../plans/plans.writes.ts'
import { paypalObjects } from '../store/paypal.tables.ts'
import { find, list, save } from '../store/store.ts'
import type { Plan } from '../store/stored.ts'
import { type Api, anyBody, noQuery } from '../wire/api.ts'
import type { Call } from '../wire/call.ts'
import { money, paging, patches, percentage, text } from '../wire/fields.rules.ts'
import { patchedText, readPatches } from '../wire/patches.rules.ts'
import { impossible, notFound } from '../wire/refusal.ts'

const Filter = z.object({ ...paging, product_id: text(50, 6).optional(), plan_ids: text(300).optional() })

/** Billing plans, version 1. */
export function plansApi(api: Api): void {
  api.change({
    method: 'POST',
    path: plansPath,
    body: NewPlan,
    remembers: 72,
    async run(call, { body, isWhole }) {
      const plan = await createPlan(call, body)
      return { status: 201, body: isWhole ? wirePlan(call, plan) : shortPlan(call, plan) }
    },
  })

  api.get({ path: plansPath, query: Filter, run: (call, { query }) => listPlans(call, query) })

  api.get({
    path: `${plansPath}/:id`,
    query: noQuery,
    async run(call, { id }) {
      const plan = await find(call.tx, 'plan', id)
      if (!plan) throw notFound()
      return wirePlan(call, plan)
    },
  })

  api.change({
    method: 'PATCH',
    path: `${plansPath}/:id`,
    body: patches,
    async run(call, { id, body }) {
      await patchPlan(call, id, body)
      return { status: 204 }
    },
  })

  api.change({
    method: 'POST',
    path: `${plansPath}/:id/update-pricing-schemes`,
    body: NewPrices,
    async run(call, { id, body }) {
      await changePrices(call, id, body)
      return { status: 204 }
    },
  })

  switches(api)
}

function switches(api: Api): void {
  for (const status of ['ACTIVE', 'INACTIVE'] as const) {
    const action = status === 'ACTIVE' ? 'activate' : 'deactivate'
    api.change({
      method: 'POST',
      path: `${plansPath}/:id/${action}`,
      body: anyBody,
      async run(call, { id }) {
        const plan = await lockedPlan(call, id)
        // Only an active plan can be deactivated, and only one that is not can be activated.
        if ((plan.status === 'ACTIVE') === (status === 'ACTIVE')) {
          throw impossible('PLAN_STATUS_INVALID', `The status of the plan does not allow to ${action} it.`)
        }
        const object = { ...plan, status, updatedAt: call.now.toISOString() }
        await save(call.tx, { kind: 'plan', object })
        await planEvent(call, status === 'ACTIVE' ? 'BILLING.PLAN.ACTIVATED' : 'BILLING.PLAN.DEACTIVATED', object)
        return { status: 204 }
      },
    })
  }
}

async function listPlans(call: Call, { page, page_size: pageSize, ...query }: z.output<typeof Filter>) {
  const where = query.product_id === undefined ? [] : [eq(paypalObjects.parent, query.product_id)]
  const { objects, total } = await list(call.tx, { kind: 'plan', where, page, pageSize })
  const wanted = query.plan_ids?.split(',')
  return {
    ...(query.total_required === 'true' && { total_items: total, total_pages: Math.ceil(total / pageSize) }),
    plans: objects.filter(({ id }) => wanted?.includes(id) ?? true).map((plan) => shortPlan(call, plan)),
    links: [{ href: `${call.publicUrl}${plansPath}?page_size=${pageSize}&page=${page}`, rel: 'self', method: 'GET' }],
  }
}

const replaced = ['replace'] as const

const patchable = [
  { path: '/description', operations: ['add', 'replace', 'remove'], schema: text(127) },
  { path: '/name', operations: replaced, schema: text(127) },
  { path: '/payment_preferences/auto_bill_outstanding', operations: replaced, schema: z.boolean() },
  { path: '/payment_preferences/setup_fee', operations: replaced, schema: money },
  {
    path: '/payment_preferences/setup_fee_failure_action',
    operations: replaced,
    schema: z.enum(['CONTINUE', 'CANCEL']),
  },
  {
    path: '/payment_preferences/payment_failure_threshold',
    operations: replaced,
    schema: z.number().int().min(0).max(999),
  },
  { path: '/taxes/percentage', operations: replaced, schema: percentage },
] as const

/** @throws Refusal 422 for an inactive plan */
async function patchPlan(call: Call, id: string, body: z.output<typeof patches>): Promise<void> {
  const plan = await lockedPlan(call, id)
  const wanted = readPatches(body, patchable)
  if (plan.status === 'INACTIVE') throw impossible('PLAN_STATUS_INACTIVE', 'An inactive plan cannot be changed.')

  const preference = <Schema extends z.ZodType>(name: string, schema: Schema) =>
    schema.optional().parse(wanted.get(`/payment_preferences/${name}`))
  const taxes = percentage.optional().parse(wanted.get('/taxes/percentage'))
  const fee = z.object({ amount: z.number(), currency: z.string() })
  const object: Plan = {
    ...plan,
    name: patchedText(wanted, '/name', plan.name) ?? plan.name,
    description: patchedText(wanted, '/description', plan.description),
    autoBillOutstanding: preference('auto_bill_outstanding', z.boolean()) ?? plan.autoBillOutstanding,
    setupFee: preference('setup_fee', fee)?.amount ?? plan.setupFee,
    setupFeeFailureAction:
      preference('setup_fee_failure_action', z.enum(['CONTINUE', 'CANCEL'])) ?? plan.setupFeeFailureAction,
    failureThreshold: preference('payment_failure_threshold', z.number()) ?? plan.failureThreshold,
    taxes: taxes === undefined ? plan.taxes : { inclusive: plan.taxes?.inclusive ?? true, percentage: taxes },
    updatedAt: call.now.toISOString(),
  }
  await save(call.tx, { kind: 'plan', object })
  await planEvent(call, 'BILLING.PLAN.UPDATED', object)
}
