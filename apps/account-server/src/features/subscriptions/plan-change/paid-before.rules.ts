import type { PaidBefore } from '../../../outside/card-provider/added-lines.ts'
import { wholeShare } from '../../../outside/card-provider/paid-share.ts'
import type { UnbilledItem } from '../../../outside/card-provider/unbilled.ts'
import { remaining, seconds } from './proration.rules.ts'

/**
 * What a change credits of what the Owner before has paid until the first charge, since the provider charges everything that it
 * touches as if nothing was paid: what was paid of an item's price for the rest of its term,
 * and never more than is charged for it.
 * @param unbilled as the provider previews the change, without these credits
 */
export function paidBefore(unbilled: readonly UnbilledItem[], prorationDate: Date): PaidBefore[] {
  return unbilled.flatMap((item) => {
    const { priceId, productId, quantity, currency, taxBehavior, taxCode, termStart, termEnd } = item
    const rest = { begin: seconds(termStart), from: seconds(prorationDate), end: seconds(termEnd) }
    const paid = Math.floor((remaining(item.unitAmount * quantity, rest) * item.paidShare) / wholeShare)
    const amount = item.isCredited ? 0 : Math.min(paid, item.charged)
    if (amount <= 0) return []
    const time = { from: prorationDate.toISOString(), to: termEnd.toISOString() }
    return [{ priceId, productId, quantity, amount, currency, taxBehavior, taxCode, ...time }]
  })
}
