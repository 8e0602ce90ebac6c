import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import type { StoredPaidCard } from '../../../outside/billed-invoice.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { mainCustomerId } from '../../payments/customers/customers.queries.ts'
import { type LastDecline, type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'

interface Paid {
  member: { id: string }
  /** Null: the order is of none. */
  subscription: SubscriptionRow | null
}

/**
 * The card that was declined and pays the next renewal all the same: what is paid with another card on the invoice's page leaves the
 * subscription with the old one.
 * @param card that paid now
 */
export async function declineAhead(
  { db, cards }: { db: Reader; cards: Pick<Deps['cards'], 'cards'> },
  { member, subscription }: Paid,
  card: StoredPaidCard | undefined,
): Promise<LastDecline | undefined> {
  if (!subscription?.lastDecline || !card) return undefined
  const { lastDecline, autoRenew, ownCard } = subscription
  if (!autoRenew || lastDecline.cardId === card.id) return undefined
  const payer = ownCard === '' ? await defaultCard(db, cards, member) : ownCard
  return payer === lastDecline.cardId ? lastDecline : undefined
}

async function defaultCard(db: Reader, cards: Pick<Deps['cards'], 'cards'>, member: { id: string }) {
  const customerId = await mainCustomerId(db, member)
  return customerId && (await ifKnown(cards.cards(customerId)))?.defaultId
}

/** A card that has paid something since is not held to be declined any more. */
export async function forgetDeclines(
  tx: Tx,
  { memberId, cardId, paidAt }: { memberId: string; cardId: string; paidAt: string },
): Promise<void> {
  const { lastDecline } = subscriptions
  const isOfCard = sql`${lastDecline} ->> 'cardId' = ${cardId} and ${lastDecline} ->> 'at' <= ${paidAt}`
  await tx
    .update(subscriptions)
    .set({ lastDecline: null })
    .where(and(eq(subscriptions.memberId, memberId), isOfCard))
}
