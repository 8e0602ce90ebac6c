import type { Reader } from '@atrium/server-kit/database.ts'
import type { UnbilledItem } from '../../../outside/card-provider/unbilled.ts'
import { lastPaidTime } from '../moving/kept-time.rules.ts'
import { paymentsOf } from '../moving/moving.queries.ts'
import type { SubscriptionRow } from '../subscriptions.tables.ts'
import type { UnbilledTerm } from './paid-before.rules.ts'

interface Unbilled {
  row: Pick<SubscriptionRow, 'id' | 'periodEnd' | 'term'>
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
  const time = lastPaidTime(await paymentsOf(db, { ...row, providerId: null }, prorationDate))
  const isReturned = time !== undefined && time.keptUntil < time.until
  return items.map((item) => {
    const isShorter = isReturned && time.keptUntil < item.termEnd
    return { ...item, paidUntil: isShorter ? time.keptUntil : item.termEnd }
  })
}
