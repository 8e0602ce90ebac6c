import { and, asc, eq, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Call } from '../requests/call.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { save } from '../store/store.ts'
import { lockedSubscription } from './locked.ts'

/** An item says whether its price is archived: what is subscribed to already goes on, and nothing else begins at it. */
export async function showInItems(call: Call, { id: priceId, active }: Stripe.Price): Promise<void> {
  const part = JSON.stringify({ object: { items: { data: [{ price: { id: priceId } }] } } })
  const hasItem = sql`${cardObjects.stored}::jsonb @> ${part}::jsonb`
  const rows = await call.tx
    .select({ id: cardObjects.id })
    .from(cardObjects)
    .where(and(eq(cardObjects.kind, 'subscription'), hasItem))
    .orderBy(asc(cardObjects.place))
  for (const { id } of rows) {
    const stored = await lockedSubscription(call, id)
    const { items } = stored.object
    const data = items.data.map((item) => {
      const { price, plan } = item
      return price.id === priceId ? { ...item, price: { ...price, active }, plan: { ...plan, active } } : item
    })
    await save(call.tx, { ...stored, object: { ...stored.object, items: { ...items, data } } })
  }
}
