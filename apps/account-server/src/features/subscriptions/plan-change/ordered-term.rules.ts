import type { BillingTerm } from '@atrium/contract/subscriptions.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { ListedSubscription } from '../subscription-list.queries.ts'

/** What PayPal is to bill from the next period on, in another term than now. */
export interface OrderedTerm {
  productCode: string
  term: BillingTerm
  /** PayPal's id. */
  planId: string
  /** For a whole term and all units, in minor units. */
  price: number
}

interface Facts {
  listed: Pick<ListedSubscription, 'nextPlan' | 'term' | 'currency'>
  prices: readonly {
    id: string
    productCode: string
    term: BillingTerm | null
    amount: number | null
    currency: string
  }[]
}

/** The term that the customer has ordered for the next period, confirmed at PayPal or not; undefined: the one of now goes on. */
export function termAhead({ nextPlan, term }: Facts['listed']): BillingTerm | undefined {
  const ordered = nextPlan?.term
  return ordered && ordered !== term ? ordered : undefined
}

/**
 * A change within this period keeps the term that was ordered for the next one: a revision at PayPal replaces the one before it.
 * Whoever stays with the product keeps the price that was ordered.
 * @throws Problem `change_not_possible` if the product is not sold in that term
 */
export function orderedTerm(
  { listed, prices }: Facts,
  { productCode, quantity }: { productCode: string; quantity: number },
): OrderedTerm | undefined {
  const term = termAhead(listed)
  if (!term) return undefined
  const sold = prices.find((price) => isOf(price, { productCode, term, currency: listed.currency }))
  const { id: planId, amount } = orderedPrice(listed, productCode) ?? sold ?? { id: '', amount: null }
  if (amount === null) throw new Problem('change_not_possible')
  return { productCode, term, planId, price: amount * quantity }
}

/** Of one unit; undefined: of another product, or not known. */
function orderedPrice({ nextPlan }: Facts['listed'], productCode: string): { id: string; amount: number } | undefined {
  if (nextPlan?.productCode !== productCode || !nextPlan.planId || nextPlan.price === null) return undefined
  const { planId: id, price, storageCapacity, userCount } = nextPlan
  return { id, amount: Math.round(price / (storageCapacity > 0 ? storageCapacity : userCount)) }
}

interface Wanted {
  productCode: string
  term: BillingTerm | null
  currency: string | null
}

function isOf(price: Facts['prices'][number], { productCode, term, currency }: Wanted): boolean {
  return price.productCode === productCode && price.term === term && price.currency === currency
}
