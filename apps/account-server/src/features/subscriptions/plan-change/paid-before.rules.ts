import type { PaidBefore } from '../../../outside/card-provider/added-lines.ts'
import { chargeStep } from '../../../outside/card-provider/minor-units.ts'
import { wholeShare } from '../../../outside/card-provider/paid-share.ts'
import type { UnbilledItem } from '../../../outside/card-provider/unbilled.ts'
import { wholeSteps } from '../../../outside/charge-steps.rules.ts'
import { remaining, seconds } from './proration.rules.ts'

export interface UnbilledTerm extends UnbilledItem {
  /** Until when what was not given back of it pays; whole seconds, the end of the term at most. */
  paidUntil: Date
}

/**
 * What a change credits of what the Owner before has paid until the first charge, since the provider charges everything that it
 * touches as if nothing was paid: what was paid of an item's price for the rest of its term, and was kept, in steps of what can be
 * charged, and never more than is charged for it.
 * @param unbilled as the provider previews the change, without these credits
 */
export function paidBefore(unbilled: readonly UnbilledTerm[], prorationDate: Date): PaidBefore[] {
  return unbilled.flatMap((item) => {
    const { priceId, productId, quantity, currency, taxBehavior, taxCode, termStart, termEnd, paidUntil } = item
    const rest = { begin: seconds(termStart), from: seconds(prorationDate), end: seconds(termEnd) }
    const returned = { ...rest, from: Math.max(rest.from, seconds(paidUntil)) }
    const price = item.unitAmount * quantity
    const kept = remaining(price, rest) - remaining(price, returned)
    const paid = Math.floor((kept * item.paidShare) / wholeShare)
    const amount = item.isCredited ? 0 : Math.min(wholeSteps(paid, chargeStep(currency)), item.charged)
    if (amount <= 0) return []
    const time = { from: prorationDate.toISOString(), to: paidUntil.toISOString() }
    return [{ priceId, productId, quantity, amount, currency, taxBehavior, taxCode, ...time }]
  })
}
