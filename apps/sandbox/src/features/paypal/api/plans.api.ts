import { z } from 'zod'
import { NewPlan, NewPrices } from '../plans/plans.parameters.ts'
import { planEvent, plansPath, shortPlan, wirePlan } from '../plans/plans.wire.ts'
import { changePrices, createPlan, lockedPlan, patchPlan } from '../plans/plans.writes.ts'
import { find, list, save } from '../store/store.ts'
import { type Api, anyBody, noQuery } from '../wire/api.ts'
import { paging, patches } from '../wire/fields.rules.ts'
import { pageLink } from '../wire/links.ts'
import { impossible, notFound } from '../wire/refusal.ts'

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

  api.get({
    path: plansPath,
    query: z.object(paging),
    async run(call, { query: { page, page_size: pageSize } }) {
      const { objects } = await list(call.tx, { kind: 'plan', page, pageSize })
      return {
        plans: objects.map((plan) => shortPlan(call, plan)),
        links: [pageLink(call, plansPath, { page, pageSize })],
      }
    },
  })

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

  api.change({
    method: 'POST',
    path: `${plansPath}/:id/deactivate`,
    body: anyBody,
    async run(call, { id }) {
      const plan = await lockedPlan(call, id)
      if (plan.status !== 'ACTIVE') {
        throw impossible('PLAN_STATUS_INVALID', 'The status of the plan does not allow to deactivate it.')
      }
      const object = { ...plan, status: 'INACTIVE', updatedAt: call.now.toISOString() } as const
      await save(call.tx, { kind: 'plan', object })
      await planEvent(call, 'BILLING.PLAN.DEACTIVATED', object)
      return { status: 204 }
    },
  })
}
