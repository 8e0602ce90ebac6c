import type { Api } from '../requests/api.ts'
import { serveResource } from '../requests/resource.ts'
import { byCreated, byCustomer, byIntent } from '../store/filters.ts'

export function chargesApi(api: Api): void {
  serveResource(api, {
    kind: 'charge',
    path: '/charges',
    filters: { created: byCreated, customer: byCustomer, payment_intent: byIntent },
  })
}
