import type { Api } from '../requests/api.ts'
import { serveResource } from '../requests/resource.ts'
import { createParameters, updateParameters } from '../schedules/schedules.parameters.ts'
import { createSchedule, release, updateSchedule } from '../schedules/schedules.writes.ts'
import { byCreated, byCustomer } from '../store/filters.ts'
import { boolean } from '../wire/parameters.rules.ts'

/** What is planned for a subscription: only of one that there is. */
export function schedulesApi(api: Api): void {
  api.serve({ method: 'POST', path: '/subscription_schedules', takes: createParameters, run: createSchedule })

  api.serve({
    method: 'POST',
    path: '/subscription_schedules/:id',
    takes: updateParameters,
    run: (call, given, { id }) => updateSchedule(call, id, given),
  })

  api.serve({
    method: 'POST',
    path: '/subscription_schedules/:id/release',
    takes: { preserve_cancel_date: boolean().optional() },
    run: (call, given, { id }) => release(call, id, given),
  })

  serveResource(api, {
    kind: 'subscription_schedule',
    path: '/subscription_schedules',
    noun: 'subscription schedule',
    param: 'schedule',
    filters: { created: byCreated, customer: byCustomer },
  })
}
