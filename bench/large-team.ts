import { daysBefore } from '../demo/folio/dates.ts'
import type { FolioRecord } from '../demo/folio/record.ts'

const email = 'bulk@folio.test'

/** The subscription whose users are measured. */
export const largeTeam = 'team-4000'

const users = 4000

/** A subscription with 4,000 users, a tenth of whom were invited; it is older than all others, so that no list begins with it. */
export function* largeTeamRecords(today: Date): Generator<FolioRecord> {
  const subscription = { subscriptionId: largeTeam, email }
  const invited = daysBefore(today, 3, 9).toISOString()
  yield {
    type: 'subscription',
    ...{ ...subscription, productCode: 'FPEPB', status: 'active', userCount: users + 100 },
    ...{ origin: 'online', channel: 'card', autoRenewal: true, term: 'yearly', price: 40_000_000, currency: 'USD' },
    periodStart: daysBefore(today, 300, 9).toISOString(),
    periodEnd: daysBefore(today, -65, 9).toISOString(),
    created: daysBefore(today, 2000, 9).toISOString(),
    orgCode: 'ORG-MERIDIAN',
  }
  yield { type: 'seat', ...subscription, seatType: 2, status: 'Accepted', isUse: true, invited }
  for (let index = 1; index < users; index += 1) {
    const user = `user-${String(index).padStart(4, '0')}@meridian.test`
    const isInvited = index % 10 === 0
    if (!isInvited) yield { type: 'member', email: user, firstName: 'Uma', lastName: `Nr ${index}`, country: 'US' }
    yield {
      ...{ type: 'seat', subscriptionId: largeTeam, email: user, seatType: 0 },
      ...{ status: isInvited ? 'Pending' : 'Accepted', isUse: !isInvited, invited },
    }
  }
}
