import type { Reader } from '@atrium/server-kit/database.ts'
import type { TimedPayment } from '../../../outside/card-provider/paid-time.ts'
import type { UnbilledItem } from '../../../outside/card-provider/unbilled.ts'
import { lastPaidTime } from '../moving/kept-time.rules.ts'
import { paymentsOf, type UntimedPayment } from '../moving/moving.queries.ts'
import type { SubscriptionRow } from '../subscriptions.tables.ts'
import type { UnbilledTerm } from './paid-before.rules.ts'

interface Unbilled {
  row: Pick<SubscriptionRow, 'id' | 'periodEnd'>
  items: readonly UnbilledItem[]
  prorationDate: Date
}

/**
 * Until when what the Owners before have paid at the providers, and was not given back, pays for each item. A refund of which no provider
 * has told us yet is not known here.
 */
export async function withKeptTime(db: Reader, { row, items, prorationDate }: Unbilled): Promise<UnbilledTerm[]> {
  if (items.length === 0) return []
  // What the new Owner has paid since is credited by the provider.
  const { payments, untimed } = await paymentsOf(db, { id: row.id, providerId: null }, prorationDate)
  const time = lastPaidTime([...payments, ...lastOfEach(untimed, row.periodEnd)])
  const isReturned = time !== undefined && time.keptUntil < time.until
  return items.map((item) => {
    const isShorter = isReturned && time.keptUntil < item.termEnd
    return { ...item, paidUntil: isShorter ? time.keptUntil : item.termEnd }
  })
}

/** Of orders that do not say for what time they were, the last one of what stood for it is for the time that has moved. */
function lastOfEach(untimed: readonly UntimedPayment[], until: Date | null): TimedPayment[] {
  const last = new Map(untimed.map((payment) => [payment.objectId, payment]))
  return [...last.values()].flatMap(({ date: from, ...payment }) =>
    until && from < until ? [{ ...payment, from, until }] : [],
  )
}
