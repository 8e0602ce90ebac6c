import { eq } from 'drizzle-orm'
import type { Api } from '../requests/api.ts'
import { createParameters, updateParameters } from '../schedules/schedules.parameters.ts'
import {
  cancelSchedule,
  createSchedule,
  noSuchSchedule,
  release,
  updateSchedule,
} from '../schedules/schedules.writes.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { find, listed } from '../store/store.ts'
import { boolean, createdRange, paging, text } from '../wire/parameters.rules.ts'

/** What is planned for a subscription: only of one that there is. */
export function schedulesApi(api: Api): void {
  api.serve({ method: 'POST', path: '/subscription_schedules', takes: createParameters, run: createSchedule })

  api.serve({
    method: 'GET',
    path: '/subscription_schedules/:id',
    takes: {},
    async run({ tx }, _given, { id }) {
      const found = await find(tx, 'subscription_schedule', id)
      if (!found) throw noSuchSchedule(id)
      return found.object
    },
  })

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

  api.serve({
    method: 'POST',
    path: '/subscription_schedules/:id/cancel',
    takes: { invoice_now: boolean().optional(), prorate: boolean().optional() },
    run: (call, given, { id }) => cancelSchedule(call, id, given),
  })

  api.serve({
    method: 'GET',
    path: '/subscription_schedules',
    takes: { ...paging, created: createdRange.optional(), customer: text().optional() },
    run: ({ tx }, { created, customer, ...page }) =>
      listed(tx, {
        kind: 'subscription_schedule',
        noun: 'subscription schedule',
        url: '/v1/subscription_schedules',
        page,
        created,
        where: [customer === undefined ? undefined : eq(cardObjects.customer, customer)],
      }),
  })
}
