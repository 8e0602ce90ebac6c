import { daysBefore } from '../demo/folio/dates.ts'
import type { FolioRecord } from '../demo/folio/record.ts'

const email = 'bulk@folio.test'

/** With the demo's forty and the large team, the customer whose lists are measured owns 500 subscriptions; every fifth of these is an add-on. */
const more = 459

export function* manySubscriptions(today: Date): Generator<FolioRecord> {
  const names = Array.from({ length: more }, (_, index) => `more-${String(index + 1).padStart(3, '0')}`)
  for (const [index, subscriptionId] of names.entries()) {
    const isAddOn = index % 5 === 4
    const began = 1 + (index % 28)
    yield {
      type: 'subscription',
      ...{
        subscriptionId,
        email,
        productCode: isAddOn ? 'FCNSF' : 'FESB',
        status: 'active',
        userCount: 1 + (index % 15),
      },
      ...{ origin: 'online', channel: 'card', autoRenewal: true, term: 'monthly', price: 2499, currency: 'USD' },
      periodStart: daysBefore(today, began, 9).toISOString(),
      periodEnd: daysBefore(today, began - 30, 9).toISOString(),
      orgCode: 'ORG-MERIDIAN',
      ...(isAddOn && { parentId: names[index - 1] ?? '' }),
    }
  }
  const invited = daysBefore(today, 29, 9).toISOString()
  for (const subscriptionId of names) {
    yield { type: 'seat', subscriptionId, email, seatType: 2, status: 'Accepted', isUse: true, invited }
  }
}
