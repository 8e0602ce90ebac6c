import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import type { PaypalOrder } from '../../../outside/paypal/orders.ts'
import { recordProvider } from '../../activity/activity.writes.ts'
import { isKnownByAddress } from '../known-by-address.rules.ts'
import type { ListedSubscription } from '../subscription-list.queries.ts'
import { subscriptions } from '../subscriptions.tables.ts'

/** `anybody`: it is proven whose the subscription is. `owner`: the account that pays for it. `stranger`: another one, or not known. */
export type Paying = 'anybody' | 'owner' | 'stranger'

type Listed = Pick<ListedSubscription, 'channel' | 'proof' | 'isTyped' | 'providerId'>

/**
 * Who has approved an order. Where only an address says whose a subscription is, it may turn out to be somebody else's, with what was
 * bought on top of it: only the account that pays for it may, which proves whose it is.
 * @throws ProviderFailure
 */
export async function payingOf(
  { paypal }: Pick<Deps, 'paypal'>,
  listed: Listed | undefined,
  { accountId }: Pick<PaypalOrder, 'accountId'>,
): Promise<Paying> {
  if (!listed?.providerId || !isKnownByAddress(listed)) return 'anybody'
  return accountId !== '' && accountId === (await paypal.payingAccount(listed.providerId)) ? 'owner' : 'stranger'
}

interface Bought {
  providerId: string
  memberId: string
  now: Date
}

/** The member has paid with the account that pays for the subscription: it is theirs from now on, whoever else it names. */
export async function proveByPayment(tx: Tx, { providerId, memberId, now }: Bought): Promise<void> {
  const isTheirs = and(eq(subscriptions.providerId, providerId), eq(subscriptions.memberId, memberId))
  const isTyped = and(isTheirs, eq(subscriptions.proof, 'address'))
  const raised = await tx
    .update(subscriptions)
    .set({ proof: 'ours' })
    .where(isTyped)
    .returning({ id: subscriptions.id })
  for (const { id: target } of raised) await recordProvider(tx, memberId, { action: 'customer.linked', target, now })
}
