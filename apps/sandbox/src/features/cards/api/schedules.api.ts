import type { Api } from '../requests/api.ts'
import { serveResource } from '../requests/resource.ts'
import { createParameters, updateParameters } from '../schedules/schedules.parameters.ts'
import { createSchedule, release, updateSchedule } from '../schedules/schedules.writes.ts'
import { byCreated, byCustomer } from '../store/filters.ts'
import { boolean } from '../wire/parameters.rules.ts'

/** What is planned for a subscription: only of one that there is. */
export function schedulesApi(api: Api): void {
  api.serve({ method: 'POST', path: '/subscription_schedules', takes: createParameters, run: createSchedule })
  api.change('/subscription_schedules/:id', updateParameters, updateSchedule)
  api.change('/subscription_schedules/:id/release', { preserve_cancel_date: boolean().optional() }, release)

  serveResource(api, {
    kind: 'subscription_schedule',
    path: '/subscription_schedules',
    noun: 'subscription schedule',
    param: 'schedule',
    filters: { created: byCreated, customer: byCustomer },
  })
}
