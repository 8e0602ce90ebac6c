import type { OpenChange } from '@atrium/contract/open-changes.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { products } from '../../catalog/catalog.tables.ts'
import type { OperationRow } from '../../payments/operations/operations.tables.ts'
import { ofOpenPurchase, openPurchases } from '../open-purchases.queries.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { type ChangeQuoteRow, changeQuotes } from './change-quotes.tables.ts'

/** Kinds of operations with which a quote is used. */
export const quotedKinds = ['subscription.change', 'subscription.renew', 'subscription.change_by_order'] as const

const pendingProducts = alias(products, 'pending_products')

interface Quoted extends Pick<ChangeQuoteRow, 'asked' | 'shown'> {
  /** When it is given up unless it is paid, as ISO 8601; null: it has no such time. */
  expiresAt: string | null
}

type Hidden = Pick<SubscriptionRow, 'isPriceHidden'>

/** The change as its Owner may see it: without what it charges and where that is paid, if the price is hidden. */
function shownChange(change: OpenChange, { isPriceHidden }: Hidden): OpenChange {
  if (!isPriceHidden) return change
  const { chargeAmount: _, currency: __, ...unpriced } = change
  return { ...unpriced, payUrl: '' }
}

/** A change of a subscription that waits, as its quote showed it. */
export function openChangeFrom({ asked, shown, expiresAt }: Quoted, of: Hidden): OpenChange {
  const { after, chargeAmount, currency } = shown
  const isMore = asked.type === 'buy-more' || asked.type === 'buy-connector'
  const change = {
    type: asked.type,
    increasedNumber: isMore ? asked.increasingNumber : 0,
    isStorage: asked.type === 'buy-more' && after.storageCapacity > 0 ? (1 as const) : (0 as const),
    appName: after.appName,
    chargeAmount,
    currency,
    payUrl: '',
    ...(expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
  }
  return shownChange(change, of)
}

/** A change that was begun at the card provider, and is paid there; undefined: none waits. */
export function openChangeAtProvider({
  pendingChange,
  pendingProduct,
  dueUrl,
  isPriceHidden,
}: Pick<SubscriptionRow, 'pendingChange' | 'dueUrl' | 'isPriceHidden'> & { pendingProduct: string | null }):
  | OpenChange
  | undefined {
  if (!pendingChange) return undefined
  const { productCode, invoiceId: _, ...change } = pendingChange
  return shownChange({ ...change, appName: pendingProduct ?? productCode, payUrl: dueUrl }, { isPriceHidden })
}

/** A column: the name of the product after a change that waits at the provider; null: none waits. */
export function productOfPendingChange(): SQL<string | null> {
  return sql<string | null>`(
    select ${pendingProducts.name} from ${products} ${pendingProducts}
    where ${pendingProducts.code} = ${subscriptions.pendingChange} ->> 'productCode'
  )`
}

/** A column: the names of the products of the next period, by code; null: it is what there is now. */
export function productsOfNextPlan(): SQL<Record<string, string> | null> {
  const { nextPlan } = subscriptions
  return sql<Record<string, string> | null>`(
    select jsonb_object_agg(${pendingProducts.code}, ${pendingProducts.name}) from ${products} ${pendingProducts}
    where ${pendingProducts.code} in (${nextPlan} ->> 'productCode', ${nextPlan} -> 'otherwise' ->> 'productCode')
  )`
}

/** A column: the quote of the subscription's change that waits for the customer; null: none waits. */
export function quoteOfOpenChange(): SQL<Quoted | null> {
  const { id, asked, shown } = changeQuotes
  const { kind, givesUpAt } = openPurchases
  const expiresAt = sql`case when ${kind} = 'subscription.change' then ${givesUpAt} end`
  return ofOpenPurchase({
    kinds: quotedKinds,
    value: sql<Quoted>`(
      select jsonb_build_object('asked', ${asked}, 'shown', ${shown}, 'expiresAt', ${expiresAt}) from ${changeQuotes}
      where ${id} = (${openPurchases.input} ->> 'quoteId')::uuid
    )`,
  })
}

const Input = z.object({ quoteId: z.uuid() })

const Result = z.object({ captureId: z.string().default('') })

/** Whether it waits for the customer. PayPal may hold back a payment that they have approved: nothing is left for them to do then. */
export function isWaiting({ status, result }: Pick<OperationRow, 'status' | 'result'>): boolean {
  return status === 'requires_action' && Result.parse(result).captureId === ''
}

/** The change of an operation that waits for the customer; null: nothing is left for them to do. */
export async function openChangeOf(
  db: Reader,
  operation: Pick<OperationRow, 'status' | 'result' | 'kind' | 'givesUpAt'> & { input: unknown },
): Promise<OpenChange | null> {
  const { input, kind, givesUpAt } = operation
  if (!isWaiting(operation)) return null
  const { asked, shown, subscriptionId } = changeQuotes
  const { isPriceHidden } = subscriptions
  const [quote] = await db
    .select({ asked, shown, isPriceHidden })
    .from(changeQuotes)
    .innerJoin(subscriptions, eq(subscriptions.id, subscriptionId))
    .where(eq(changeQuotes.id, Input.parse(input).quoteId))
  const expiresAt = kind === 'subscription.change' ? (givesUpAt?.toISOString() ?? null) : null
  return quote ? openChangeFrom({ ...quote, expiresAt }, quote) : null
}

/** The product that the change of an operation was to change, as its quote showed it. */
export async function productBefore(db: Reader, input: unknown): Promise<string> {
  const { id, shown } = changeQuotes
  const [quote] = await db
    .select({ shown })
    .from(changeQuotes)
    .where(eq(id, Input.parse(input).quoteId))
  return quote?.shown.before.appName ?? ''
}
