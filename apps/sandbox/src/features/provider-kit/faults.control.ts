import type { Db } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { FaultPlan, type Faults, PlannedFault } from './faults.ts'

/** The control API of a provider's faults, for tests. @param root of the provider's pages: `/cards` */
export function faultsApi(app: FastifyInstance, root: `/${string}`, { db, faults }: { db: Db; faults: Faults }): void {
  const base = {
    access: 'device',
    path: `${root}/control/faults/`,
    reply: z.object({ list: z.array(PlannedFault) }),
  } as const
  const planned = async () => ({ list: await faults.planned(db) })

  const plan = {
    ...base,
    method: 'POST',
    summary: 'Injects faults into the next requests or deliveries',
    body: FaultPlan,
  } as const
  serve(app, plan, async ({ body }) => {
    await faults.plan(db, body)
    return planned()
  })
  serve(app, { ...base, method: 'GET', summary: 'Faults that are still to come' } as const, planned)
  serve(app, { ...base, method: 'DELETE', summary: 'Everything behaves again' } as const, async () => {
    await faults.forget(db)
    return planned()
  })
}

/** @throws Problem not_found for a form that plans no fault */
export function faultPlanOf(form: unknown): z.output<typeof FaultPlan> {
  const plan = FaultPlan.safeParse(form)
  if (!plan.success || plan.data.pattern.includes('\0')) throw new Problem('not_found')
  return plan.data
}
