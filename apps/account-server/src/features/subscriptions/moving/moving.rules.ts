import { daysLater } from '../../../db/calendar.rules.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { intervals } from '../../catalog/provider-prices.rules.ts'
import type { providerPrices } from '../../catalog/provider-prices.tables.ts'
import { isPrepaid } from '../subscription-flags.rules.ts'
import type { ProviderItem, SubscriptionRow } from '../subscriptions.tables.ts'

/** What of a subscription decides whether and how it moves. */
export type Movable = Pick<
  SubscriptionRow,
  | 'id'
  | 'origin'
  | 'channel'
  | 'status'
  | 'term'
  | 'providerId'
  | 'autoRenew'
  | 'cancelAt'
  | 'periodEnd'
  | 'trialEnd'
  | 'endedAt'
  | 'commitmentEnd'
  | 'price'
  | 'currency'
  | 'isPriceHidden'
  | 'isRenewing'
  | 'dueAmount'
  | 'dueUrl'
  | 'pendingPlanId'
  | 'productCode'
  | 'userCount'
  | 'providerItems'
>

/** Whether the customer has something to pay for it. */
export function isPaymentDue({ status, dueAmount, dueUrl }: Movable): boolean {
  return status === 'past_due' || dueAmount !== null || dueUrl !== ''
}

/** Whether a provider charges for its next period; one that ends later, a year paid by the month say, is charged until then. */
export function isBilledAgain(row: Movable): boolean {
  if (row.origin !== 'online' || billedId(row) === null || isPrepaid(row)) return false
  const until = paidUntil(row)
  return row.cancelAt === null ? row.autoRenew : until !== null && row.cancelAt > until
}

/** When it ends for the new Owner, unless it goes on: with what is paid, at the latest. */
export function movedEnd(row: Movable): Date | null {
  const until = paidUntil(row)
  return row.cancelAt !== null && (until === null || row.cancelAt < until) ? row.cancelAt : until
}

/**
 * The provider's id: of one that a file brought and that was not read there yet, the file's, which may be the provider's; null: no provider
 * has it.
 */
export function idAtProvider(row: Movable): string | null {
  const isBilled = row.origin === 'online' && row.channel !== 'invoice' && !isPrepaid(row)
  return row.providerId ?? (isBilled ? row.id : null)
}

/** The same of what its provider bills; null: no provider does, as far as is known. */
export function billedId(row: Movable): string | null {
  return row.providerId ?? (row.autoRenew && row.cancelAt === null ? idAtProvider(row) : null)
}

/** When the time ends that is paid, or tried. */
function paidUntil({ status, periodEnd, trialEnd }: Movable): Date | null {
  return status === 'trialing' ? (trialEnd ?? periodEnd) : periodEnd
}

/** Whether it is charged so soon that the old Owner might pay for what has moved. */
export function isChargedSoon(row: Movable, now: Date): boolean {
  const end = paidUntil(row)
  return isBilledAgain(row) && end !== null && end <= daysLater(now, 1)
}

/** Whether its Owner is bound beyond what is paid, as of a year that is paid by the month: its price is for who keeps the commitment. */
export function isBound(row: Movable): boolean {
  const until = paidUntil(row)
  return row.commitmentEnd !== null && until !== null && row.commitmentEnd > until
}

/** What the provider's object says of a commitment. */
export function commitmentMetadata({ commitmentEnd }: Pick<SubscriptionRow, 'commitmentEnd'>): Record<string, string> {
  return commitmentEnd ? { commitmentEnd: commitmentEnd.toISOString() } : {}
}

/** Whether it can go on with a card of the new Owner: PayPal's approval cannot move, and what is charged must be shown. */
export function canGoOn(row: Movable): boolean {
  const isShown = row.price !== null && row.currency !== null && !row.isPriceHidden
  const isKnown = row.providerId !== null && paidUntil(row) !== null
  // Who has turned auto-renewal off is still charged until the end of a commitment.
  const isAgreed = row.cancelAt === null || isBound(row)
  return isBilledAgain(row) && row.channel === 'card' && isShown && isKnown && isAgreed
}

/** At what the card provider sells a product now. */
export type SoldPrice = Pick<typeof providerPrices.$inferSelect, 'id' | 'productCode' | 'term' | 'amount' | 'currency'>

/**
 * What a card of the new Owner pays for, if it goes on or is turned on later: the same items; for PayPal's, the card provider's price
 * for the same amount. Empty: it ends for good, since nothing is billed, what is charged could not be shown, nothing begins at its price, or that is of a
 * fixed term or a commitment that nobody keeps.
 * @param prices the card provider's
 */
export function itemsToContinue(row: Movable, prices: readonly SoldPrice[]): readonly ProviderItem[] {
  const { origin, channel, term, price, currency, isPriceHidden, providerItems, productCode, endedAt } = row
  const isBilled = origin === 'online' && term !== null && intervals[term] !== null && movedEnd(row) !== null
  if (!isBilled || price === null || currency === null || isPriceHidden) return []
  if (isBound(row) && !canGoOn(row)) return []
  if (channel !== 'paypal') {
    const isSold = channel === 'card' && endedAt === null && !providerItems.some(({ isArchived }) => isArchived)
    return isSold ? providerItems : []
  }

  const [item] = providerItems
  if (!item) return []
  const isSame = (one: SoldPrice) => one.productCode === productCode && one.term === term && one.currency === currency
  const sold = prices.find((one) => isSame(one) && one.amount !== null && one.amount * item.quantity === price)
  return sold ? [{ ...item, id: '', priceId: sold.id, isConnector: false, amount: sold.amount }] : []
}

/** Whether a transfer left it without a provider's subscription, and a card of its Owner can begin one. */
export function canBegin({
  origin,
  providerId,
  providerItems,
}: Pick<SubscriptionRow, 'origin' | 'providerId' | 'providerItems'>): boolean {
  return origin === 'online' && providerId === null && providerItems.length > 0
}

/** Whether turning auto-renewal on, in its row, continues what would end. */
export function isContinuable(row: SubscriptionRow): boolean {
  const { origin, channel, providerId, endedAt } = row
  const isBilled = origin === 'online' && channel !== 'invoice' && !isPrepaid(row)
  return isBilled && endedAt === null && (providerId !== null || canBegin(row))
}

/** Whether the provider has refused a call, and would again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ProviderFailure && ['refused', 'action_required', 'invalid', 'missing'].includes(error.kind)
}
