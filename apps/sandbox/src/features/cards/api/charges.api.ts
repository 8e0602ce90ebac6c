import { eq } from 'drizzle-orm'
import type { Api } from '../requests/api.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { find, listed } from '../store/store.ts'
import { createdRange, paging, text } from '../wire/parameters.rules.ts'
import { noSuch } from '../wire/refusal.ts'

export function chargesApi(api: Api): void {
  api.serve({
    method: 'GET',
    path: '/charges/:id',
    takes: {},
    async run({ tx }, _given, { id }) {
      const found = await find(tx, 'charge', id)
      if (!found) throw noSuch('charge', id, { status: 404 })
      return found.object
    },
  })

  api.serve({
    method: 'GET',
    path: '/charges',
    takes: {
      ...paging,
      created: createdRange.optional(),
      customer: text().optional(),
      payment_intent: text().optional(),
    },
    run: ({ tx }, { created, customer, payment_intent: intent, ...page }) =>
      listed(tx, {
        kind: 'charge',
        noun: 'charge',
        url: '/v1/charges',
        page,
        created,
        where: [
          customer === undefined ? undefined : eq(cardObjects.customer, customer),
          intent === undefined ? undefined : eq(cardObjects.intent, intent),
        ],
      }),
  })
}
